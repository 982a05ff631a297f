// Fusion: what joins, what must not, and that no bit changes.
#include "schemas/program/fuse.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <random>

#include "schemas/expression/builder.hpp"
#include "schemas/expression/function_list.hpp"
#include "tests/schemas/program/interpreter.hpp"
#include "tests/schemas/program/program_lines.hpp"

using namespace lbann;

namespace {

std::string fused(std::string const& tensors, std::string const& lines) {
  return tests::changed_lines(tensors, lines, [](Program& program) { fuse(program); });
}

std::string const layer =
    "tensor x: input f32 [batch, 4]\ntensor w: weights f32 [3, 4]\ntensor b: weights f32 [3]\n"
    "tensor z: activation f32 [batch, 3]\ntensor a: activation f32 [batch, 3]\n"
    "tensor y: activation f32 [batch, 3]\ntensor out: result f32 [batch, 3]\n"
    "tensor more: result f32 [batch, 3]\n";

}  // namespace

TEST_CASE("bias and activation become the epilogue of a product") {
  CHECK(fused(layer,
              "z = matmul(x, w) {transpose_b: true}\n"
              "a = map(z, b) {expression: (add(i0, i1)), shape: [batch, 3], types: [f32]}\n"
              "out = map(a) {expression: (tanh(i0)), shape: [batch, 3], types: [f32]}\n") ==
        "out = matmul(x, w, b) {transpose_b: true, epilogue: (tanh(add(i0, i1))), types: [f32]}\n");
}

TEST_CASE("scaling becomes the epilogue of a product of pairs") {
  CHECK(fused("tensor q: input f32 [batch, 2, 5, 4]\ntensor k: input f32 [batch, 2, 5, 4]\n"
              "tensor z: activation f32 [batch, 2, 5, 5]\n"
              "tensor out: result f32 [batch, 2, 5, 5]\n",
              "z = batched_matmul(q, k) {transpose_b: true}\n"
              "out = map(z) {expression: (multiply(i0, 0.5)), shape: [batch, 2, 5, 5], types: "
              "[f32]}\n") ==
        "out = batched_matmul(q, k) {transpose_b: true, epilogue: (multiply(i0, 0.5)), types: "
        "[f32]}\n");
}

TEST_CASE("a constant that is a factor of a product with an epilogue stays") {
  auto const ones =
      "ones = map() {expression: (1), shape: [3, 4], types: [f32]}\n"
      "out = matmul(x, ones, b) {transpose_b: true, epilogue: (tanh(add(i0, i1))), types: "
      "[f32]}\n";
  CHECK(fused(layer + "tensor ones: activation f32 [3, 4]\n", ones) == ones);
}

TEST_CASE("an operand that is read again becomes a further output") {
  CHECK(fused(layer,
              "z = matmul(x, w) {transpose_b: true}\n"
              "a = map(z, b) {expression: (add(i0, i1)), shape: [batch, 3], types: [f32]}\n"
              "y = map(a) {expression: (tanh(i0)), shape: [batch, 3], types: [f32]}\n"
              "out = softmax(y)\nmore = softmax(a)\n") ==
        "a, y = matmul(x, w, b) {transpose_b: true, epilogue: (t0 = add(i0, i1); t0, tanh(t0)), "
        "types: [f32, f32]}\nout = softmax(y)\nmore = softmax(a)\n");
}

TEST_CASE("what depends on the operand by another way does not join") {
  CHECK(fused(layer,
              "z = matmul(x, w) {transpose_b: true}\n"
              "a = softmax(z)\n"
              "out = map(z, a) {expression: (add(i0, i1)), shape: [batch, 3], types: [f32]}\n") ==
        "z = matmul(x, w) {transpose_b: true}\na = softmax(z)\n"
        "out = map(z, a) {expression: (add(i0, i1)), shape: [batch, 3], types: [f32]}\n");
}

TEST_CASE("what is rounded between does not join") {
  std::string const tensors =
      "tensor x: input f64 [4]\ntensor y: activation f32 [4]\ntensor out: result f64 [4]\n";
  std::string const lines =
      "y = map(x) {expression: (exp(i0)), shape: [4], compute: f64, types: [f32]}\n"
      "out = map(y) {expression: (exp(i0)), shape: [4], compute: f64, types: [f64]}\n";
  CHECK(fused(tensors, lines) == lines);
}

TEST_CASE("what is stored in bf16 between is rounded where it joins") {
  CHECK(
      fused("tensor x: input bf16 [4]\ntensor y: activation bf16 [4]\ntensor out: result f32 [4]\n",
            "y = map(x) {expression: (exp(i0)), shape: [4], types: [bf16]}\n"
            "out = map(y) {expression: (exp(i0)), shape: [4], types: [f32]}\n") ==
      "out = map(x) {expression: (exp(bfloat16(exp(i0)))), shape: [4], types: [f32]}\n");
  // Once: a relu of rounded numbers is rounded, and so is a gradient that it lets through.
  CHECK(
      fused(
          "tensor x: input f32 [4]\ntensor y: activation bf16 [4]\ntensor z: activation bf16 [4]\n"
          "tensor dz: activation bf16 [4]\ntensor out: result f32 [4]\n",
          "y = map(x) {expression: (exp(i0)), shape: [4], types: [bf16]}\n"
          "z = map(y) {expression: (select(less_equal(i0, 0), 0, i0)), shape: [4], types: [bf16]}\n"
          "dz = map(z) {expression: (multiply(i0, select(less_equal(i0, 0), 0, 1))), shape: [4], "
          "types: [bf16]}\n"
          "out = map(dz) {expression: (exp(i0)), shape: [4], types: [f32]}\n") ==
      "out = map(x) {expression: (t0 = bfloat16(exp(i0)); t1 = select(less_equal(t0, 0), 0, t0); "
      "exp(multiply(t1, select(less_equal(t1, 0), 0, 1)))), shape: [4], types: [f32]}\n");
  // Each type by its own function.
  CHECK(fused("tensor x: input f16 [4]\ntensor y: activation f16 [4]\ntensor out: result f32 [4]\n",
              "y = map(x) {expression: (exp(i0)), shape: [4], types: [f16]}\n"
              "out = map(y) {expression: (exp(i0)), shape: [4], types: [f32]}\n") ==
        "out = map(x) {expression: (exp(float16(exp(i0)))), shape: [4], types: [f32]}\n");
  // 0.1 is no bf16, and a product of rounded numbers need not be one.
  CHECK(
      fused(
          "tensor x: input f32 [4]\ntensor y: activation bf16 [4]\ntensor z: activation bf16 [4]\n"
          "tensor out: result f32 [4]\n",
          "y = map(x) {expression: (select(less_equal(i0, 0), 0.1, 0)), shape: [4], types: "
          "[bf16]}\n"
          "z = map(y) {expression: (multiply(i0, i0)), shape: [4], types: [bf16]}\n"
          "out = map(z) {expression: (exp(i0)), shape: [4], types: [f32]}\n") ==
      "out = map(x) {expression: (t0 = bfloat16(select(less_equal(i0, 0), 0.1, 0)); "
      "exp(bfloat16(multiply(t0, t0)))), shape: [4], types: [f32]}\n");
  // A product of bf16 factors is f32, and is not rounded.
  CHECK(fused("tensor x: input bf16 [batch, 4]\ntensor w: input bf16 [4, 3]\n"
              "tensor z: activation f32 [batch, 3]\ntensor out: result bf16 [batch, 3]\n",
              "z = matmul(x, w)\n"
              "out = map(z) {expression: (tanh(i0)), shape: [batch, 3], types: [bf16]}\n") ==
        "out = matmul(x, w) {epilogue: (tanh(i0)), types: [bf16]}\n");
}

TEST_CASE("an update of weights becomes the epilogue of their gradient") {
  std::string const tensors =
      "tensor x: input f32 [batch, 4]\ntensor dy: input f32 [batch, 3]\n"
      "tensor w: weights f32 [3, 4]\ntensor v: moment f32 [3, 4] of w\n"
      "tensor g: gradient f32 [3, 4] of w\ntensor rate: statistic f64 []\n"
      "tensor half: activation f64 []\ntensor dx: result f32 [batch, 4]\n";
  std::string const gradient = "g = matmul(dy, x) {transpose_a: true}\n";
  std::string const data = "dx = matmul(dy, w)\n";
  std::string const update =
      "half = map(rate) {expression: (multiply(i0, 0.5)), compute: f64, types: [f64]}\n"
      "v, w = map(v, g, w, half) {expression: (t0 = add(multiply(0.9, i0), i1); t0, subtract(i2, "
      "multiply(i3, t0))), shape: [3, 4], types: [f32, f32]}\n";
  CHECK(
      fused(tensors, data + gradient + update) ==
      "half = map(rate) {expression: (multiply(i0, 0.5)), compute: f64, types: [f64]}\n" + data +
          "v, w = matmul(dy, x, v, w, half) {transpose_a: true, epilogue: (t0 = "
          "add(multiply(0.9, i1), i0); t0, subtract(i2, multiply(i3, t0))), types: [f32, f32]}\n");
  // Where the old weights are still read, the product waits.
  auto const waits = fused(tensors, gradient + data + update);
  CHECK(waits.find("dx = matmul") < waits.find("v, w = matmul"));
}

TEST_CASE("an update of a table larger than a cache becomes the epilogue of its gradient") {
  auto const tensors = [](std::string const& table) {
    return "tensor dy: input f32 [batch, 2, 64]\ntensor i: input f32 [batch, 2]\n"
           "tensor w: weights f32 " +
           table + "\ntensor g: gradient f32 " + table + " of w\ntensor rate: statistic f64 []\n";
  };
  auto const lines = [](std::string const& table) {
    return "g = scatter(dy, i) {shape: " + table +
           ", axis: 0, batch_axes: 0}\n"
           "w = map(w, rate, g) {expression: (subtract(i0, multiply(i1, i2))), shape: " +
           table + ", types: [f32]}\n";
  };
  std::string const large = "[10000, 64]", small = "[1000, 64]";
  CHECK(fused(tensors(large), lines(large)) ==
        "w = scatter(dy, i, w, rate) {shape: [10000, 64], axis: 0, batch_axes: 0, epilogue: "
        "(subtract(i1, multiply(i2, i0))), types: [f32]}\n");
  CHECK(fused(tensors(small), lines(small)) == lines(small));
}

TEST_CASE("what is computed of weights waits for its reader, however far that is") {
  // As the gradient of a regularization, which is known before the whole backward pass.
  std::string tensors =
      "tensor x: input f32 [batch, 4]\ntensor w: weights f32 [3, 4]\n"
      "tensor decay: activation f32 [3, 4]\ntensor one: activation f32 [batch]\n"
      "tensor seen: activation f32 [batch]\ntensor late: activation f32 [batch]\n"
      "tensor g: gradient f32 [3, 4] of w\ntensor out: result f32 [batch, 3]\n"
      "tensor y: result f32 [batch]\n";
  std::string between, last = "x";
  for (int i = 0; i < 100; ++i) {
    auto const next = "t" + std::to_string(i);
    tensors += "tensor " + next + ": activation f32 [batch, 4]\n";
    between += next + " = softmax(" + last + ")\n";
    last = next;
  }
  between += "out = matmul(" + last + ", w) {transpose_b: true}\n";
  std::string const gradient = "g = matmul(out, " + last + ") {transpose_a: true}\n";
  std::string const update =
      "w = map(w, g, decay) {expression: (subtract(i0, add(i1, i2))), shape: [3, 4], types: "
      "[f32]}\n";
  auto const of_weights = fused(
      tensors, "decay = map(w) {expression: (multiply(i0, 0.1)), shape: [3, 4], types: [f32]}\n" +
                   between + gradient + update);
  CHECK(of_weights == between + "w = matmul(out, " + last +
                          ", w) {transpose_a: true, epilogue: (subtract(i1, add(i0, multiply(i1, "
                          "0.1)))), types: [f32]}\n");
  // What reads an activation would make its life as long, if only one number for each sample.
  std::string const of_activation =
      "one = reduce(x) {expression: (i0), shape: [batch, 4], axes: [1]}\n"
      "seen = map(one) {expression: (exp(i0)), shape: [batch], types: [f32]}\n";
  std::string const reader =
      "late = reduce(t99) {expression: (i0), shape: [batch, 4], axes: [1]}\n"
      "y = map(seen, late) {expression: (add(i0, i1)), shape: [batch], types: [f32]}\n";
  auto const all = of_activation + between + reader;
  CHECK(fused(tensors, all) == all);
}

TEST_CASE("a map read by one reduce only goes into it") {
  std::string const tensors =
      "tensor x: input f32 [batch, 4]\ntensor y: activation f32 [batch, 4]\n"
      "tensor sum: result f32 [batch]\ntensor max: result f32 [batch]\n";
  std::string const square =
      "y = map(x) {expression: (square(i0)), shape: [batch, 4], types: [f32]}\n";
  std::string const sum = "sum = reduce(y) {expression: (i0), shape: [batch, 4], axes: [1]}\n";
  std::string const max =
      "max = reduce(y) {mode: max, expression: (i0), shape: [batch, 4], axes: [1]}\n";
  CHECK(fused(tensors, square + sum) ==
        "sum = reduce(x) {expression: (square(i0)), shape: [batch, 4], axes: [1]}\n");
  CHECK(fused(tensors, square + sum + max) == square + sum + max);
}

TEST_CASE("siblings join, dead instructions and constants go") {
  std::string const tensors =
      "tensor x: input f32 [batch, 4]\ntensor y: result f32 [batch, 4]\n"
      "tensor z: result f32 [batch, 4]\ntensor dead: activation f32 [batch, 4]\n"
      "tensor one: activation f32 [1, 1]\n";
  CHECK(
      fused(tensors,
            "one = map() {expression: (1), shape: [1, 1], types: [f32]}\n"
            "dead = softmax(x)\n"
            "y = map(x) {expression: (exp(i0)), shape: [batch, 4], types: [f32]}\n"
            "z = map(x, one) {expression: (add(i0, i1)), shape: [batch, 4], types: [f32]}\n") ==
      "y, z = map(x) {expression: (exp(i0), add(i0, 1)), shape: [batch, 4], types: [f32, f32]}\n");
}

namespace {

/// A random program of squares of 3 x 3, rows, numbers and their updates.
Program random_program(std::mt19937& generator) {
  Program program;
  std::vector<TensorId> squares, factors, smaller, states;
  auto const add = [&](std::string name, Shape shape, TensorRole role, DataType type) {
    Tensor tensor;
    tensor.name = std::move(name);
    tensor.type = {type, std::move(shape)};
    tensor.role = role;
    return program.add(std::move(tensor));
  };
  auto const pick = [&](auto const& list) { return list[generator() % list.size()]; };
  Shape const square{{3, false}, {3, false}};
  for (int i = 0; i < 3; ++i) {
    squares.push_back(add("x" + std::to_string(i), square, TensorRole::input, DataType::f32));
    states.push_back(add("w" + std::to_string(i), square, TensorRole::weights, DataType::f32));
    squares.push_back(states.back());
    factors = squares;
    smaller.push_back(add("row" + std::to_string(i), Shape{{3, false}}, TensorRole::input,
                          i == 0 ? DataType::f64 : DataType::f32));
    smaller.push_back(add("n" + std::to_string(i), Shape{}, TensorRole::statistic,
                          i == 0 ? DataType::f64 : DataType::f32));
  }
  EntryPoint entry{"train", {}};
  auto const count = 5 + generator() % 25;
  for (std::size_t i = 0; i < count; ++i) {
    auto const name = "t" + std::to_string(i);
    auto const kind = generator() % 10;
    if (kind == 0) {
      auto const out = add(name, square, TensorRole::activation, DataType::f32);
      operators::matmul op;
      op.transpose_a = generator() % 2 == 0;
      entry.instructions.push_back({op, {pick(factors), pick(factors)}, {out}, {}});
      squares.push_back(out);
      factors.push_back(out);
    } else if (kind == 1) {
      operators::reduce op;
      op.expression = *parse_expression("(multiply(i0, i0))");
      op.shape = square;
      op.axes = {0};
      auto const out = add(name, Shape{{3, false}}, TensorRole::activation, DataType::f32);
      entry.instructions.push_back({op, {pick(squares)}, {out}, {}});
      smaller.push_back(out);
    } else {
      ExpressionBuilder build(Algebra::verbatim);
      std::vector<TensorId> inputs;
      std::vector<Term> terms = {build.constant(0.75)};
      for (std::size_t k = 0, n = 1 + generator() % 3; k < n; ++k) {
        inputs.push_back(generator() % 4 == 0 ? pick(smaller) : pick(squares));
        terms.push_back(build.operand(k));
      }
      for (int k = 0; k < 4; ++k) {
        Function const functions[] = {Function::add, Function::multiply, Function::subtract,
                                      Function::maximum};
        terms.push_back(build.apply(functions[generator() % 4], {pick(terms), pick(terms)}));
      }
      std::vector<Term> results = {terms.back()};
      for (std::size_t k = 0; k < inputs.size(); ++k) results[0] = results[0] + build.operand(k);
      auto const state = generator() % 4 == 0;
      auto const type = generator() % 8 == 0 ? DataType::f64 : DataType::f32;
      std::vector<TensorId> outputs = {
          state ? pick(states)
                : add(name, square,
                      generator() % 6 == 0 ? TensorRole::result : TensorRole::activation, type)};
      if (generator() % 5 == 0) {
        outputs.push_back(add(name + ".1", square, TensorRole::result, DataType::f32));
        results.push_back(terms[terms.size() / 2]);
      }
      operators::map op;
      op.expression = build.finish(results);
      op.shape = square;
      op.compute = generator() % 8 == 0 ? DataType::f64 : DataType::f32;
      for (auto id : outputs) op.types.push_back(program[id].type.type);
      entry.instructions.push_back({op, inputs, outputs, {}});
      for (auto id : outputs)
        if (!is_state(program[id].role)) {
          squares.push_back(id);
          if (program[id].type.type == DataType::f32) factors.push_back(id);
        }
    }
  }
  program.entry_points.push_back(std::move(entry));
  return program;
}

}  // namespace

TEST_CASE("fusion never changes a bit") {
  std::mt19937 generator(3);
  std::size_t before_count = 0, after_count = 0;
  for (int repetition = 0; repetition < 1500; ++repetition) {
    auto const before = random_program(generator);
    auto const sound = verify(before);
    REQUIRE_MESSAGE(!sound, sound.value_or(""));
    auto after = before;
    fuse(after);
    CAPTURE(to_text(before));
    CAPTURE(to_text(after));
    auto const fault = verify(after);
    REQUIRE_MESSAGE(!fault, fault.value_or(""));
    tests::Values values;
    for (auto const& tensor : before.tensors)
      if (tensor.role == TensorRole::input || is_state(tensor.role))
        for (std::int64_t e = 0; e < tensor.type.shape.elements(1); ++e)
          values[tensor.name].push_back(static_cast<float>(generator() % 2000) / 1000.f - 1.f);
    auto again = values;
    tests::run(before, before.entry_points[0], values, 1);
    tests::run(after, after.entry_points[0], again, 1);
    for (auto const& tensor : before.tensors)
      if (tensor.role != TensorRole::activation) {
        auto const &a = values[tensor.name], &b = again[tensor.name];
        auto const equal =
            std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double p, double q) {
              return std::bit_cast<std::uint64_t>(p) == std::bit_cast<std::uint64_t>(q) ||
                     (p != p && q != q);
            });
        REQUIRE_MESSAGE(equal, tensor.name);
      }
    before_count += before.entry_points[0].instructions.size();
    after_count += after.entry_points[0].instructions.size();
  }
  CHECK(after_count * 10 < before_count * 7);
}

TEST_CASE("100,000 instructions are fused") {
  std::string text = "tensor x: input f32 [batch, 4]\ntensor y: result f32 [batch, 4]\n";
  int const count = 100000;
  for (int i = 0; i < count; ++i)
    text += "tensor t" + std::to_string(i) + ": activation f32 [batch, 4]\n";
  text += "entry train:\n";
  std::string last = "x";
  for (int i = 0; i < count; ++i) {
    auto const next = "t" + std::to_string(i);
    text += next + (i % 3 == 0 ? " = softmax(" + last + ")\n"
                               : " = map(" + last + ", x) {expression: (add(i0, exp(i1))), " +
                                     "shape: [batch, 4], types: [f32]}\n");
    last = next;
  }
  text += "y = softmax(" + last + ")\n";
  auto program = std::move(parse_program(text)).value();
  fuse(program);  // a quadratic way would take minutes: no end before the test's own
  CHECK(program.entry_points[0].instructions.size() < 70000);
}
