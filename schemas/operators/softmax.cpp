// Rules of softmax.
#include "schemas/operators/softmax.hpp"

#include "schemas/operators/formulas.hpp"
#include "schemas/operators/list.hpp"
#include "schemas/operators/loops.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<softmax>) {
  return "x -> y of the same shape\n"
         "y[i] = max(exp(x[i] - m) / sum over j: exp(x[j] - m), minimum), m = max over j: x[j]\n"
         "`logarithm`: y[i] = x[i] - m - log(sum over j: exp(x[j] - m)); j over the axes from "
         "`axis` on, but the last `inner`";
}

Result<TensorTypes> softmax::infer(std::span<TensorType const> inputs) const {
  if (auto misfit = rules::find_misfit(name, inputs, 1, 1)) return *misfit;
  if (!is_floating(inputs[0].type) || !rules::has_axes(inputs[0].shape, axis, inner))
    return rules::problem(name,
                          "takes floating-point data with an axis of samples and the axes given");
  if (!(minimum >= 0 && minimum < 1)) return rules::problem(name, "minimum is not in [0, 1)");
  return TensorTypes{inputs[0]};
}

Loops softmax::loops(Signature const& signature) const {
  rules::LoopsBuilder loops(signature);
  auto const rank = signature.inputs[0].shape.rank();
  loops.add(LoopKind::parallel, 0, static_cast<std::size_t>(axis), {0}, {0});
  loops.add(LoopKind::parallel, rank - static_cast<std::size_t>(inner), rank, {0}, {0});
  return std::move(loops).finish();
}

void softmax::backward(softmax const& op, BackwardContext& context) {
  auto const gradient = context.output_gradient(0);
  if (!gradient.valid() || !context.wants(0)) return;
  context.contribute(0, context.emit(softmax_gradient{op.logarithm, op.minimum, op.axis, op.inner},
                                     {context.output(0), gradient})[0]);
}

std::int64_t softmax::flops(Signature const& signature, std::int64_t samples) const {
  // Maximum, difference, exponential, sum, quotient or difference; a clamp, or a logarithm per row.
  auto const& x = signature.inputs[0].shape;
  auto const rows = logarithm ? rules::elements_around(x, axis, inner, samples) : 0;
  return rules::times(!logarithm && minimum > 0 ? 6 : 5, x.elements(samples)) + rows;
}

std::int64_t softmax::scratch_bytes(Signature const&, std::int64_t, std::int64_t) const {
  return 0;
}

}  // namespace lbann::operators
