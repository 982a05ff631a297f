// Expressions and reductions that many layers share.
#include "compiler/layers/expressions.hpp"

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

TensorId sum_over_sample(Lowering& lowering, Expression expression, std::vector<TensorId> inputs,
                         Dims const& dims) {
  operators::reduce reduce;
  reduce.expression = std::move(expression);
  reduce.shape = batched(dims);
  for (std::size_t axis = 1; axis <= dims.size(); ++axis)
    reduce.axes.push_back(static_cast<std::int64_t>(axis));
  reduce.compute = lowering.type();
  reduce.type = lowering.type();
  return lowering.emit(std::move(reduce), std::move(inputs))[0];
}

}  // namespace lbann::compiler::layers
