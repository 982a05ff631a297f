// The slow executor.
#include "tests/schemas/program/interpreter.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include "schemas/functions/function.hpp"

namespace lbann::tests {

namespace {

double rounded(double value, DataType type) {
  return type == DataType::f32 ? static_cast<double>(static_cast<float>(value)) : value;
}

std::vector<double> evaluate(Expression const& expression, std::vector<double> const& operands,
                             DataType compute) {
  std::vector<double> values;
  for (auto const& node : expression.nodes) {
    double value = node.constant;
    if (node.kind == Node::Kind::operand) value = operands[node.arguments[0]];
    if (node.kind == Node::Kind::function) {
      std::array<double, 3> arguments{};
      for (std::size_t i = 0; i < info_of(node.function).arity; ++i)
        arguments[i] = values[node.arguments[i]];
      value = info_of(node.function).value(arguments.data());
    }
    values.push_back(rounded(value, compute));
  }
  std::vector<double> outputs;
  for (auto output : expression.outputs) outputs.push_back(values[output]);
  return outputs;
}

/// Index into an operand of shape `from` for element `index` of shape `to`.
std::size_t broadcast_index(std::vector<std::int64_t> const& from,
                            std::vector<std::int64_t> const& to, std::size_t index) {
  std::size_t result = 0, stride = 1;
  for (std::size_t axis = to.size(); axis-- > 0;) {
    auto const at = index % static_cast<std::size_t>(to[axis]);
    index /= static_cast<std::size_t>(to[axis]);
    if (axis + from.size() < to.size()) continue;
    auto const extent = static_cast<std::size_t>(from[axis + from.size() - to.size()]);
    if (extent != 1) result += at * stride;
    stride *= extent;
  }
  return result;
}

class Runner {
 public:
  Runner(Program const& program, Values& values, std::int64_t samples)
      : program_(program), values_(values), samples_(samples) {}

  void run(Instruction const& instruction) {
    std::vector<std::vector<double>> inputs;
    for (auto id : instruction.inputs) {
      REQUIRE(values_.contains(program_[id].name));
      inputs.push_back(values_[program_[id].name]);
    }
    auto const outputs =
        std::visit([&](auto const& op) { return apply(op, instruction, inputs); }, instruction.op);
    for (std::size_t o = 0; o < outputs.size(); ++o) {
      auto const& tensor = program_[instruction.outputs[o]];
      auto& stored = values_[tensor.name];
      stored.clear();
      for (auto value : outputs[o]) stored.push_back(rounded(value, tensor.type.type));
    }
  }

 private:
  using Lists = std::vector<std::vector<double>>;

  Lists elementwise(Expression const& expression, Shape const& shape, DataType compute,
                    Instruction const& instruction, Lists const& inputs, std::size_t skipped,
                    Lists lists) const {
    auto const sizes = shape.at(samples_);
    Lists outputs(expression.outputs.size());
    for (std::size_t e = 0; e < static_cast<std::size_t>(shape.elements(samples_)); ++e) {
      std::vector<double> operands;
      for (auto const& list : lists) operands.push_back(list[e]);
      for (std::size_t i = skipped; i < inputs.size(); ++i) {
        auto const from = program_[instruction.inputs[i]].type.shape.at(samples_);
        operands.push_back(rounded(inputs[i][broadcast_index(from, sizes, e)], compute));
      }
      auto const results = evaluate(expression, operands, compute);
      for (std::size_t o = 0; o < results.size(); ++o) outputs[o].push_back(results[o]);
    }
    return outputs;
  }

  Lists apply(operators::map const& op, Instruction const& instruction, Lists const& inputs) {
    return elementwise(op.expression, op.shape, op.compute, instruction, inputs, 0, {});
  }

  Lists apply(operators::reduce const& op, Instruction const& instruction, Lists const& inputs) {
    auto const elements =
        elementwise(op.expression, op.shape, op.compute, instruction, inputs, 0, {});
    auto const sizes = op.shape.at(samples_);
    auto kept = sizes;
    for (auto axis : op.axes) kept[static_cast<std::size_t>(axis)] = 1;
    std::size_t count = 1;
    for (auto size : kept) count *= static_cast<std::size_t>(size);
    using enum operators::ReduceMode;
    auto const highest = std::numeric_limits<double>::max();
    auto const start = op.mode == sum       ? 0.0
                       : op.mode == product ? 1.0
                       : op.mode == max     ? -highest
                                            : highest;
    Lists results(elements.size(), std::vector<double>(count, start));
    for (std::size_t o = 0; o < elements.size(); ++o)
      for (std::size_t e = 0; e < elements[o].size(); ++e) {
        auto& at = results[o][broadcast_index(kept, sizes, e)];
        auto const x = elements[o][e];
        at = op.mode == sum       ? at + x
             : op.mode == product ? at * x
             : op.mode == max     ? std::max(at, x)
                                  : std::min(at, x);
      }
    return results;
  }

  Lists apply(operators::moments const& op, Instruction const& instruction, Lists const& inputs) {
    auto const sizes = program_[instruction.inputs[0]].type.shape.at(samples_);
    auto kept = sizes;
    double count = 1;
    for (auto axis : op.axes) {
      count *= static_cast<double>(sizes[static_cast<std::size_t>(axis)]);
      kept[static_cast<std::size_t>(axis)] = 1;
    }
    std::size_t results = 1;
    for (auto size : kept) results *= static_cast<std::size_t>(size);
    std::vector<double> mean(results, 0), m2(results, 0);
    for (std::size_t e = 0; e < inputs[0].size(); ++e)
      mean[broadcast_index(kept, sizes, e)] += inputs[0][e] / count;
    for (std::size_t e = 0; e < inputs[0].size(); ++e) {
      auto const at = broadcast_index(kept, sizes, e);
      m2[at] += (inputs[0][e] - mean[at]) * (inputs[0][e] - mean[at]);
    }
    return {{count}, mean, m2};
  }

  Lists apply(operators::matmul const& op, Instruction const& instruction, Lists const& inputs) {
    auto const& a = program_[instruction.inputs[0]].type;
    auto const& b = program_[instruction.inputs[1]].type;
    auto const x = a.shape.at(samples_), y = b.shape.at(samples_);
    auto const m = static_cast<std::size_t>(x[op.transpose_a ? 1 : 0]);
    auto const k = static_cast<std::size_t>(x[op.transpose_a ? 0 : 1]);
    auto const n = static_cast<std::size_t>(y[op.transpose_b ? 0 : 1]);
    std::vector<double> product;
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        double sum = 0;
        for (std::size_t l = 0; l < k; ++l)
          sum += inputs[0][op.transpose_a ? l * m + i : i * k + l] *
                 inputs[1][op.transpose_b ? j * k + l : l * n + j];
        product.push_back(rounded(sum, a.type));
      }
    if (op.epilogue.empty()) return {product};
    return elementwise(op.epilogue, program_[instruction.outputs[0]].type.shape, a.type,
                       instruction, inputs, 2, {product});
  }

  Lists apply(operators::reshape const&, Instruction const&, Lists const& inputs) { return inputs; }

  template <class Other>
  Lists apply(Other const&, Instruction const& instruction, Lists const&) {
    FAIL("no such operator here: " << name_of(instruction.op));
    return {};
  }

  Program const& program_;
  Values& values_;
  std::int64_t samples_;
};

}  // namespace

void run(Program const& program, EntryPoint const& entry, Values& values, std::int64_t samples) {
  Runner runner(program, values, samples);
  for (auto const& instruction : entry.instructions) runner.run(instruction);
}

void run_ranks(Program const& program, EntryPoint const& entry, std::vector<Values>& values,
               std::vector<std::int64_t> const& samples) {
  for (auto const& instruction : entry.instructions) {
    if (!std::holds_alternative<operators::all_reduce>(instruction.op)) {
      for (std::size_t r = 0; r < values.size(); ++r)
        Runner(program, values[r], samples[r]).run(instruction);
      continue;
    }
    auto const &from = program[instruction.inputs[0]].name,
               &to = program[instruction.outputs[0]].name;
    std::vector<double> sum(values[0][from].size(), 0);
    for (auto& rank : values)
      for (std::size_t e = 0; e < sum.size(); ++e) sum[e] += rank[from][e];
    for (auto& rank : values) rank[to] = sum;
  }
}

}  // namespace lbann::tests
