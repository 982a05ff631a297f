// Rules of softmax_cross_entropy_gradient.
#include "schemas/operators/softmax_cross_entropy_gradient.hpp"

#include "schemas/operators/formulas.hpp"
#include "schemas/operators/loops.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<softmax_cross_entropy_gradient>) {
  return "p [batch, ...], t [batch, ...], dloss [batch, 1] -> dx [batch, ...]\n"
         "dx[i] = dloss (p[i] sum over j: t[j] - t[i]), i and j over entries with p above "
         "`minimum`; 0 for the others";
}

Result<TensorTypes> softmax_cross_entropy_gradient::infer(
    std::span<TensorType const> inputs) const {
  if (auto misfit = rules::find_misfit(name, inputs, 3, 3)) return *misfit;
  auto const &p = inputs[0], &t = inputs[1], &dloss = inputs[2];
  if (p != t || !is_floating(p.type) || p.shape.rank() < 1)
    return rules::problem(name,
                          "probabilities and targets are not of one shape and floating-point type");
  if (dloss.type != p.type || dloss.shape != Shape{p.shape.extents[0], {1, false}})
    return rules::problem(name, "the gradient of the loss is not one number per sample");
  if (!(minimum >= 0 && minimum < 1)) return rules::problem(name, "minimum is not in [0, 1)");
  return TensorTypes{p};
}

Loops softmax_cross_entropy_gradient::loops(Signature const& signature) const {
  rules::LoopsBuilder loops(signature);
  loops.add(LoopKind::parallel, 0, 1, {0, 1, 2}, {0});  // samples
  return std::move(loops).finish();
}

// Second derivatives are not asked for by any layer.
void softmax_cross_entropy_gradient::backward(softmax_cross_entropy_gradient const&,
                                              BackwardContext&) {}

std::int64_t softmax_cross_entropy_gradient::flops(Signature const& signature,
                                                   std::int64_t samples) const {
  // Sum, product, difference, product; twice whether an entry was clamped.
  return rules::times(minimum > 0 ? 6 : 4, signature.inputs[0].shape.elements(samples));
}

std::int64_t softmax_cross_entropy_gradient::scratch_bytes(Signature const&, std::int64_t,
                                                           std::int64_t) const {
  return 0;
}

}  // namespace lbann::operators
