// Rules of cumulative_sum.
#include "schemas/operators/cumulative_sum.hpp"

#include "schemas/operators/formulas.hpp"
#include "schemas/operators/loops.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<cumulative_sum>) {
  return "x [..., n] -> y [..., n]\n"
         "y[j] = sum over i <= j: x[i]; `reverse`: over i >= j";
}

Result<TensorTypes> cumulative_sum::infer(std::span<TensorType const> inputs) const {
  if (auto misfit = rules::find_misfit(name, inputs, 1, 1)) return *misfit;
  auto const& x = inputs[0];
  if (!is_floating(x.type) || x.shape.rank() < 1)
    return rules::problem(name, "takes floating-point data with at least one axis");
  if (x.shape.extents.back().batch) return rules::problem(name, "samples are not summed up");
  return TensorTypes{x};
}

Loops cumulative_sum::loops(Signature const& signature) const {
  rules::LoopsBuilder loops(signature);
  loops.add(LoopKind::parallel, 0, signature.inputs[0].shape.rank() - 1, {0}, {0});
  return std::move(loops).finish();
}

void cumulative_sum::backward(cumulative_sum const& op, BackwardContext& context) {
  auto const gradient = context.output_gradient(0);
  if (!gradient.valid() || !context.wants(0)) return;
  context.contribute(0, context.emit(cumulative_sum{!op.reverse}, {gradient})[0]);
}

std::int64_t cumulative_sum::flops(Signature const& signature, std::int64_t samples) const {
  return signature.inputs[0].shape.elements(samples);
}

std::int64_t cumulative_sum::scratch_bytes(Signature const&, std::int64_t, std::int64_t) const {
  return 0;
}

}  // namespace lbann::operators
