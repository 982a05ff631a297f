// The pass `derive_backward`: by files before and after, and by finite differences.
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "compiler/passes/program_passes.hpp"
#include "schemas/expression/builder.hpp"
#include "schemas/expression/function_list.hpp"
#include "schemas/program/fuse.hpp"
#include "tests/compiler/passes/cases.hpp"
#include "tests/schemas/program/interpreter.hpp"

using namespace lbann;

TEST_CASE("derive_backward") {
  tests::check_cases("derive_backward",
                     [](Program& program) { compiler::derive_backward(program); });
}

TEST_CASE("gradients entry points are derived as train is, and error signals are told") {
  auto program = tests::program_of(R"(
tensor x: input f32 [batch, 3]
tensor w: weights f32 [2, 3] from w
tensor w/gradient: gradient f32 [2, 3] of w
tensor y: activation f32 [batch, 2] from y
tensor other: activation f32 [batch, 2] from other
tensor objective: result f64 []
entry train:
  y = matmul(x, w) {transpose_b: true} from y
  other = matmul(x, w) {transpose_b: true} from other
  objective = reduce(y) {expression: (square(i0)), shape: [batch, 2], axes: [0, 1], compute: f64, type: f64}
entry gradients.evaluate:
  y = matmul(x, w) {transpose_b: true} from y
  objective = reduce(y) {expression: (square(i0)), shape: [batch, 2], axes: [0, 1], compute: f64, type: f64}
entry objective.evaluate:
  y = matmul(x, w) {transpose_b: true} from y
  objective = reduce(y) {expression: (square(i0)), shape: [batch, 2], axes: [0, 1], compute: f64, type: f64}
)");
  auto const signals = compiler::derive_backward(program);
  CHECK_FALSE(verify(program).has_value());
  auto const writes_gradient = [&](std::string_view entry) {
    for (auto const& instruction : program.entry_point(entry)->instructions)
      if (program[instruction.outputs[0]].role == TensorRole::gradient) return true;
    return false;
  };
  CHECK(writes_gradient("train"));
  CHECK(writes_gradient("gradients.evaluate"));
  CHECK_FALSE(writes_gradient("objective.evaluate"));
  // x needs no gradient, and the objective does not depend on `other`.
  CHECK_FALSE(signals[0].valid());
  REQUIRE(signals[3].valid());
  CHECK(program[signals[3]].type.shape == program.tensors[3].type.shape);
  CHECK_FALSE(signals[4].valid());
}

TEST_CASE("error signals are larger by the loss scale, gradients of weights are not") {
  auto program = tests::program_of(R"(
tensor scale: statistic f64 []
tensor x: input f32 [batch, 3]
tensor w: weights f32 [3] from w
tensor w/gradient: gradient f32 [3] of w
tensor y: activation f16 [batch, 3] from y
tensor objective: result f64 []
entry train:
  y = map(x, w) {expression: (multiply(i0, i1)), shape: [batch, 3], types: [f16]} from y
  objective = reduce(y) {expression: (square(i0)), shape: [batch, 3], axes: [0, 1], type: f64}
)");
  compiler::derive_backward(program, TensorId(0));
  CHECK_FALSE(verify(program).has_value());
  auto const& instructions = program.entry_point("train")->instructions;
  CHECK(instructions[2].inputs == std::vector{TensorId(0)});
  auto const& last = instructions.back();
  CHECK(last.outputs == std::vector{TensorId(3)});
  CHECK(last.inputs[1] == TensorId(0));
  CHECK(to_text(std::get<operators::map>(last.op).expression) == "(divide(i0, i1))");
}

namespace {

Shape const square{{3, false}, {3, false}}, row{{3, false}}, line{{9, false}};

/// A random scalar of random weights through maps, products, sums and reshapes, in f64.
class RandomProgram {
 public:
  explicit RandomProgram(std::mt19937& generator) : generator_(generator) {
    for (auto const& shape : {square, square, row, row, Shape{}}) {
      auto const name = "w" + std::to_string(program.tensors.size());
      auto const w = add(name, shape, TensorRole::weights);
      values_of(shape).push_back(w);
      program[add(name + "/gradient", shape, TensorRole::gradient)].owner = w;
    }
    values_of(square).push_back(add("x", square, TensorRole::input));
    auto const count = 3 + generator() % 12;
    for (std::size_t i = 0; i < count; ++i) step();
    sum({pick(squares_), pick(squares_), pick(rows_)}, square, {0, 1},
        add("objective", Shape{}, TensorRole::result));
    program.entry_points.push_back({"train", std::move(instructions_)});
  }

  Program program;

 private:
  TensorId add(std::string name, Shape shape, TensorRole role) {
    Tensor tensor;
    tensor.name = std::move(name);
    tensor.type = {DataType::f64, std::move(shape)};
    tensor.role = role;
    return program.add(std::move(tensor));
  }

  std::vector<TensorId>& values_of(Shape const& shape) {
    return shape == square ? squares_ : shape == row ? rows_ : numbers_;
  }

  TensorId pick(std::vector<TensorId> const& list) { return list[generator_() % list.size()]; }

  TensorId fresh(Shape const& shape) {
    return add("t" + std::to_string(program.tensors.size()), shape, TensorRole::activation);
  }

  Expression expression(std::size_t operands, std::size_t outputs) {
    ExpressionBuilder build;
    std::vector<Term> terms;
    for (std::size_t i = 0; i < operands; ++i) terms.push_back(build.operand(i));
    auto const any = [&] { return terms[generator_() % terms.size()]; };
    std::vector<Term> results;
    for (std::size_t o = 0; o < outputs; ++o) {
      Function const functions[] = {Function::add, Function::multiply, Function::subtract};
      terms.push_back(build.apply(functions[generator_() % 3], {any(), any()}));
      terms.push_back(build.apply(Function::tanh, {any()}));
      auto result = terms.back();
      for (std::size_t i = 0; i < operands; ++i) result = result + build.operand(i) * 0.5;
      results.push_back(result);
    }
    return build.finish(results);
  }

  void sum(std::vector<TensorId> inputs, Shape const& shape, std::vector<std::int64_t> axes,
           TensorId output) {
    operators::reduce op;
    op.expression = expression(inputs.size(), 1);
    op.shape = shape;
    op.axes = std::move(axes);
    op.compute = op.type = DataType::f64;
    instructions_.push_back({op, std::move(inputs), {output}, {}});
  }

  void step() {
    auto const kind = generator_() % 6;
    if (kind == 0) {
      operators::matmul op;
      op.transpose_a = generator_() % 2 == 0;
      op.transpose_b = generator_() % 2 == 0;
      auto const out = fresh(square);
      instructions_.push_back({op, {pick(squares_), pick(squares_)}, {out}, {}});
      squares_.push_back(out);
    } else if (kind == 1) {
      auto const out = fresh(row);
      sum({pick(squares_), pick(rows_)}, square, {static_cast<std::int64_t>(generator_() % 2)},
          out);
      rows_.push_back(out);
    } else if (kind == 2) {
      auto const flat = fresh(line), out = fresh(square);
      instructions_.push_back({operators::reshape{line}, {pick(squares_)}, {flat}, {}});
      instructions_.push_back({operators::reshape{square}, {flat}, {out}, {}});
      squares_.push_back(out);
    } else {
      auto const& shape = kind == 3 ? row : square;
      std::vector<TensorId> inputs = {pick(kind == 3 ? rows_ : squares_), pick(rows_),
                                      pick(numbers_), pick(kind == 3 ? rows_ : squares_)};
      std::vector<TensorId> outputs = {fresh(shape)};
      if (kind == 5) outputs.push_back(fresh(shape));
      operators::map op;
      op.expression = expression(inputs.size(), outputs.size());
      op.shape = shape;
      op.compute = DataType::f64;
      op.types.assign(outputs.size(), DataType::f64);
      instructions_.push_back({op, inputs, outputs, {}});
      for (auto out : outputs) values_of(shape).push_back(out);
    }
  }

  std::mt19937& generator_;
  std::vector<TensorId> squares_, rows_, numbers_;
  std::vector<Instruction> instructions_;
};

}  // namespace

TEST_CASE("derive_backward gives the slope of the objective") {
  std::mt19937 generator(29);
  for (int repetition = 0; repetition < 60; ++repetition) {
    auto const forward = RandomProgram(generator).program;
    auto program = forward;
    compiler::derive_backward(program);
    CAPTURE(to_text(program));
    auto const fault = verify(program);
    REQUIRE_MESSAGE(!fault, fault.value_or(""));
    auto fused = program;
    fuse(fused);

    tests::Values start;
    for (auto const& tensor : forward.tensors)
      if (tensor.role == TensorRole::input || is_state(tensor.role))
        for (std::int64_t e = 0; e < tensor.type.shape.elements(1); ++e)
          start[tensor.name].push_back(static_cast<double>(generator() % 2000) / 2000 - 0.5);
    auto values = start, values_of_fused = start;
    tests::run(program, program.entry_points[0], values, 1);
    tests::run(fused, fused.entry_points[0], values_of_fused, 1);
    for (auto const& tensor : forward.tensors) {
      if (tensor.role != TensorRole::weights) continue;
      auto const& gradient = values[tensor.name + "/gradient"];
      CHECK(gradient == values_of_fused[tensor.name + "/gradient"]);
      REQUIRE(gradient.size() == start[tensor.name].size());
      for (std::size_t e = 0; e < gradient.size(); e += 2) {
        auto const slope = [&](double h) {
          auto at = start;
          at[tensor.name][e] += h;
          tests::run(forward, forward.entry_points[0], at, 1);
          return at["objective"][0];
        };
        double const h = 1e-5, expected = (slope(h) - slope(-h)) / (2 * h);
        CHECK(std::abs(gradient[e] - expected) <= 1e-6 * (1 + std::abs(expected)));
      }
    }
  }
}
