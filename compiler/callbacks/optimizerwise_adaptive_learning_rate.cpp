// Steps scaled by the ratio of the norms of weights and gradient.
#include "compiler/callbacks/optimizerwise_adaptive_learning_rate.hpp"

#include "compiler/callbacks/callback.hpp"
#include "schemas/expression/function_list.hpp"

namespace lbann::callbacks {

void optimizerwise_adaptive_learning_rate::lower(compiler::CallbackLowering& lowering) const {
  ExpressionBuilder build;
  auto const squares = build.operand(0), gradient = build.operand(1), zero = build.constant(0);
  auto const known =
      build.apply(Function::logical_and, {build.apply(Function::less, {zero, squares}),
                                          build.apply(Function::less, {zero, gradient})});
  auto const ratio =
      build.apply(Function::sqrt, {squares}) / build.apply(Function::sqrt, {gradient});
  auto const factor =
      build.finish({build.apply(Function::select, {known, ratio * scale, build.constant(1)})});
  for (auto const id : lowering.model().trained(weights))
    lowering.scale_step(id,
                        lowering.scalar(factor, {lowering.sum_of_squares(lowering.weights(id)),
                                                 lowering.sum_of_squares(lowering.gradient(id))}));
}

}  // namespace lbann::callbacks
