// Expressions and reductions that many layers share.
#include "compiler/layers/expressions.hpp"

#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

Expression expression_of(Function function, std::size_t operands) {
  ExpressionBuilder build;
  if (operands == 1) return build.finish({build.apply(function, {build.operand(0)})});
  if (operands == 2)
    return build.finish({build.apply(function, {build.operand(0), build.operand(1)})});
  return build.finish(
      {build.apply(function, {build.operand(0), build.operand(1), build.operand(2)})});
}

Expression operand_itself() {
  ExpressionBuilder build;
  return build.finish({build.operand(0)});
}

Expression sum_of_two() {
  ExpressionBuilder build;
  return build.finish({build.operand(0) + build.operand(1)});
}

TensorId filled(LoweringContext& lowering, double value, Dims const& dims) {
  ExpressionBuilder build;
  return lowering.map(build.finish({build.constant(value)}), {}, batched(dims));
}

TensorId reduced(LoweringContext& lowering, operators::ReduceMode mode, Expression expression,
                 std::vector<TensorId> inputs, Dims const& dims,
                 std::vector<std::int64_t> const& axes, std::optional<DataType> type) {
  operators::reduce reduce;
  reduce.mode = mode;
  reduce.expression = std::move(expression);
  reduce.shape = batched(dims);
  for (auto const axis : axes) reduce.axes.push_back(1 + axis);
  reduce.compute = lowering.type();
  reduce.type = type.value_or(lowering.type());
  return lowering.emit(std::move(reduce), std::move(inputs))[0];
}

TensorId mean_of_difference(LoweringContext& lowering, Function function) {
  auto const& dims = lowering.input_dims(0);
  ExpressionBuilder build;
  auto const difference = build.operand(0) - build.operand(1);
  auto const mean =
      build.apply(function, {difference}) * (1.0 / static_cast<double>(*entries(dims)));
  return sum_over_sample(lowering, build.finish({mean}), {lowering.input(0), lowering.input(1)},
                         dims);
}

TensorId joined_inputs(LoweringContext& lowering, Function function,
                       std::function<Term(Term, std::size_t)> const& each) {
  auto const count = lowering.input_count();
  if (count == 1 && !each) return lowering.input(0);
  TensorId total;
  for (std::size_t next = 0; next < count;) {
    ExpressionBuilder build;
    std::vector<TensorId> inputs;
    std::optional<Term> result;
    if (next > 0) {
      inputs.push_back(total);
      result = build.operand(0);
    }
    for (; next < count && inputs.size() < max_operands; ++next) {
      auto x = build.operand(inputs.size());
      inputs.push_back(lowering.input(next));
      if (each) x = each(x, next);
      result = result ? build.apply(function, {*result, x}) : x;
    }
    total = lowering.map(build.finish({*result}), std::move(inputs));
  }
  return total;
}

std::vector<std::int64_t> axes_from(Dims const& dims, std::size_t first) {
  std::vector<std::int64_t> axes;
  for (auto axis = first; axis < dims.size(); ++axis)
    axes.push_back(static_cast<std::int64_t>(axis));
  return axes;
}

TensorId scaled(LoweringContext& lowering, TensorId x, double factor) {
  ExpressionBuilder build;
  return lowering.map(build.finish({build.operand(0) * factor}), {x});
}

TensorId sum_over_sample(LoweringContext& lowering, Expression expression,
                         std::vector<TensorId> inputs, Dims const& dims) {
  return reduced(lowering, operators::ReduceMode::sum, std::move(expression), std::move(inputs),
                 dims, axes_from(dims));
}

}  // namespace lbann::compiler::layers
