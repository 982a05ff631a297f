// The pass `distribute`: by files before and after, and run on several ranks.
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "compiler/passes/program_passes.hpp"
#include "schemas/expression/builder.hpp"
#include "schemas/expression/function_list.hpp"
#include "schemas/program/distribution.hpp"
#include "schemas/program/fuse.hpp"
#include "tests/compiler/passes/cases.hpp"
#include "tests/schemas/program/interpreter.hpp"
#include "tests/support/expected.hpp"

using namespace lbann;

TEST_CASE("distribute") { tests::check_cases("distribute", compiler::distribute); }

namespace {

/// A random program in f64 over samples, and sums over them used in linear and other ways.
class DistributedProgram {
 public:
  explicit DistributedProgram(std::mt19937& generator) : generator_(generator) {
    for (auto const& shape : {samples, samples, square, square, row, Shape{}}) {
      auto const role = shape == samples                  ? TensorRole::input
                        : program.tensors.size() % 2 == 0 ? TensorRole::statistic
                                                          : TensorRole::input;
      list_of(shape).push_back(add(shape, role));
      if (role == TensorRole::statistic) states_.push_back(list_of(shape).back());
    }
    auto const count = 4 + generator() % 20;
    for (std::size_t i = 0; i < count; ++i) step();
    program.entry_points.push_back({"train", std::move(instructions_)});
  }

  Program program;

 private:
  inline static Shape const samples{batch_extent, {3, false}}, square{{3, false}, {3, false}},
      row{{3, false}};

  TensorId add(Shape const& shape, TensorRole role) {
    Tensor tensor;
    tensor.name = "t" + std::to_string(program.tensors.size());
    tensor.type = {DataType::f64, shape};
    tensor.role = role;
    return program.add(std::move(tensor));
  }

  std::vector<TensorId>& list_of(Shape const& shape) {
    return shape == samples  ? batched_
           : shape == square ? squares_
           : shape == row    ? rows_
                             : numbers_;
  }

  TensorId pick(std::vector<TensorId> const& list) { return list[generator_() % list.size()]; }

  TensorId output(Shape const& shape) {
    if (!shape.has_batch() && generator_() % 6 == 0)
      for (auto id : states_)
        if (program[id].type.shape == shape) return id;
    auto const id = add(shape, generator_() % 3 == 0 ? TensorRole::result : TensorRole::activation);
    list_of(shape).push_back(id);
    return id;
  }

  TensorId activation(Shape const& shape) {
    auto const id = add(shape, TensorRole::activation);
    list_of(shape).push_back(id);
    return id;
  }

  void step() {
    auto const kind = generator_() % 9;
    if (kind == 0) {
      operators::matmul op;
      op.transpose_a = true;
      auto const a = pick(batched_), b = pick(batched_);
      instructions_.push_back({op, {a, b}, {output(square)}, {}});
    } else if (kind == 1) {
      auto const a = generator_() % 2 == 0 ? pick(batched_) : pick(squares_), b = pick(squares_);
      auto const shape = program[a].type.shape;
      instructions_.push_back({operators::matmul{}, {a, b}, {output(shape)}, {}});
    } else if (kind == 7) {
      auto const x = pick(batched_);
      auto const count = activation(Shape{}), mean = activation(row), m2 = activation(row);
      instructions_.push_back({operators::moments{{0}}, {x}, {count, mean, m2}, {}});
    } else if (kind == 8) {
      operators::reduce op;
      op.shape = samples;
      op.axes = {0};
      op.expression = *parse_expression("(multiply(i0, i1), i1, add(i0, i1))");
      op.compute = op.type = DataType::f64;
      auto const a = pick(batched_), b = pick(rows_);
      instructions_.push_back(
          {op, {a, b}, {activation(row), activation(row), activation(row)}, {}});
    } else if (kind == 2) {
      operators::reduce op;
      op.shape = generator_() % 3 == 0 ? square : samples;
      auto const over_all = generator_() % 2 == 0;
      op.axes = over_all ? std::vector<std::int64_t>{0, 1} : std::vector<std::int64_t>{0};
      op.expression = *parse_expression(generator_() % 2 == 0 ? "(multiply(i0, i1))"
                                                              : "(add(i0, multiply(i1, 0)))");
      op.compute = op.type = DataType::f64;
      auto const x = pick(list_of(op.shape)), y = pick(rows_);
      instructions_.push_back({op, {x, y}, {output(over_all ? Shape{} : row)}, {}});
    } else {
      auto const& shape = kind == 3 ? samples : kind == 4 ? square : kind == 5 ? row : Shape{};
      std::vector<TensorId> inputs = {pick(list_of(shape)), pick(numbers_), pick(list_of(shape))};
      char const* texts[] = {"(add(i0, i2))",
                             "(subtract(multiply(i0, i1), negative(i2)))",
                             "(divide(i0, add(2, square(i1))))",
                             "(tanh(add(i0, i2)))",
                             "(multiply(i0, i2))",
                             "(select(less(i1, 0), i0, i2))"};
      operators::map op;
      op.expression = *parse_expression(texts[generator_() % 6]);
      auto const used = used_operands(op.expression);
      std::vector<std::size_t> numbers(3, 0);
      std::vector<TensorId> read;
      for (auto number : used) {
        numbers[number] = read.size();
        read.push_back(inputs[number]);
      }
      numbers.resize(op.expression.operand_count());
      op.expression = renumbered(op.expression, numbers);
      op.shape = shape;
      op.compute = DataType::f64;
      op.types = {DataType::f64};
      instructions_.push_back({op, read, {output(shape)}, {}});
    }
  }

  std::mt19937& generator_;
  std::vector<TensorId> batched_, squares_, rows_, numbers_, states_;
  std::vector<Instruction> instructions_;
};

}  // namespace

TEST_CASE("a distributed program gives on several ranks what it gives on one") {
  std::mt19937 generator(41);
  std::size_t sums = 0, partial = 0;
  for (int repetition = 0; repetition < 400; ++repetition) {
    auto const before = DistributedProgram(generator).program;
    auto const sound = verify(before);
    REQUIRE_MESSAGE(!sound, sound.value_or(""));
    auto after = before;
    compiler::distribute(after);
    if (repetition % 2 == 0) fuse(after);
    CAPTURE(to_text(before));
    CAPTURE(to_text(after));
    auto fault = verify(after);
    if (!fault) fault = verify_distribution(after);
    REQUIRE_MESSAGE(!fault, fault.value_or(""));
    for (auto const& instruction : after.entry_points[0].instructions)
      sums += std::holds_alternative<operators::all_reduce>(instruction.op) ? 1 : 0;
    for (auto const& tensor : after.tensors) partial += tensor.distribution.partial.empty() ? 0 : 1;

    std::vector<std::int64_t> const ranks = {2, 0, 3};
    tests::Values one;
    std::vector<tests::Values> several(ranks.size());
    for (auto const& tensor : before.tensors) {
      if (tensor.role != TensorRole::input && !is_state(tensor.role)) continue;
      for (std::size_t r = 0; r < ranks.size(); ++r) several[r][tensor.name] = {};
      auto const batched = tensor.type.shape.has_batch();
      for (std::size_t r = 0; r < ranks.size(); ++r)
        for (std::int64_t e = 0; e < tensor.type.shape.elements(ranks[r]); ++e) {
          if (!batched && r > 0) break;
          auto const value = static_cast<double>(generator() % 2000) / 1000 - 1;
          one[tensor.name].push_back(value);
          if (batched)
            several[r][tensor.name].push_back(value);
          else
            for (auto& values : several) values[tensor.name].push_back(value);
        }
    }
    tests::run(before, before.entry_points[0], one, 5);
    tests::run_ranks(after, after.entry_points[0], several, ranks);
    for (auto const& tensor : before.tensors) {
      if (tensor.role != TensorRole::result && !is_state(tensor.role)) continue;
      std::size_t begin = 0;
      for (std::size_t r = 0; r < ranks.size(); ++r) {
        auto const& found = several[r][tensor.name];
        if (!tensor.type.shape.has_batch()) begin = 0;
        REQUIRE(begin + found.size() <= one[tensor.name].size());
        for (std::size_t e = 0; e < found.size(); ++e) {
          auto const expected = one[tensor.name][begin + e];
          REQUIRE(std::abs(found[e] - expected) <= 1e-9 * (1 + std::abs(expected)));
        }
        begin += found.size();
      }
    }
  }
  CHECK(sums > 400);
  CHECK(partial > 400);
}
