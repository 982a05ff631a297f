// Gradients scaled down where their norm is too large.
#include "compiler/callbacks/clip_gradient_norm.hpp"

#include "compiler/callbacks/callback.hpp"
#include "schemas/expression/function_list.hpp"

namespace lbann::callbacks {

namespace {

/// The sum of the squares of all gradients of those whose turn it is.
TensorId squares_of_all(std::vector<WeightsId> const& weights,
                        compiler::CallbackLowering& lowering) {
  TensorId sum;
  for (std::size_t next = 0; next < weights.size();) {
    ExpressionBuilder build;
    std::vector<TensorId> inputs;
    auto total = build.constant(0);
    if (sum.valid()) {
      inputs.push_back(sum);
      total = build.operand(0);
    }
    for (; next < weights.size() && inputs.size() + 2 <= max_operands; ++next) {
      auto square = build.operand(inputs.size());
      inputs.push_back(lowering.sum_of_squares(lowering.gradient(weights[next])));
      if (auto const active = lowering.active(weights[next]); active.valid()) {
        square = build.apply(Function::select,
                             {build.operand(inputs.size()), square, build.constant(0)});
        inputs.push_back(active);
      }
      total = total + square;
    }
    sum = lowering.scalar(build.finish({total}), std::move(inputs));
  }
  return sum;
}

}  // namespace

void clip_gradient_norm::lower(compiler::CallbackLowering& lowering) const {
  auto const clipped = lowering.model().trained(weights);
  if (clipped.empty()) return;
  ExpressionBuilder build;
  auto const norm = build.apply(Function::sqrt, {build.operand(0)});
  auto const most = build.constant(value);
  auto const scale =
      build.finish({build.apply(Function::select, {build.apply(Function::less, {most, norm}),
                                                   most / norm, build.constant(1)})});
  auto const shared =
      global_norm ? lowering.scalar(scale, {squares_of_all(clipped, lowering)}) : TensorId();
  for (auto const id : clipped) {
    auto const gradient = lowering.gradient(id);
    auto const factor =
        global_norm ? shared : lowering.scalar(scale, {lowering.sum_of_squares(gradient)});
    ExpressionBuilder product;
    lowering.assign(gradient, product.finish({product.operand(0) * product.operand(1)}),
                    {gradient, factor});
  }
}

}  // namespace lbann::callbacks
