// Rules of softmax_gradient.
#include "schemas/operators/softmax_gradient.hpp"

#include "schemas/operators/formulas.hpp"
#include "schemas/operators/loops.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<softmax_gradient>) {
  return "y, dy -> dx of the same shape\n"
         "dx[i] = y[i] (dy[i] - sum over j: y[j] dy[j]); entries at `minimum` neither give nor "
         "get any\n"
         "`logarithm`: dx[i] = dy[i] - exp(y[i]) sum over j: dy[j]";
}

Result<TensorTypes> softmax_gradient::infer(std::span<TensorType const> inputs) const {
  if (auto misfit = rules::find_misfit(name, inputs, 2, 2)) return *misfit;
  if (inputs[0] != inputs[1] || !is_floating(inputs[0].type))
    return rules::problem(name, "value and gradient are not of one shape and floating-point type");
  if (!rules::has_axes(inputs[0].shape, axis, inner))
    return rules::problem(name, to_text(inputs[0].shape) + " lacks the axes given");
  if (!(minimum >= 0 && minimum < 1)) return rules::problem(name, "minimum is not in [0, 1)");
  return TensorTypes{inputs[0]};
}

Loops softmax_gradient::loops(Signature const& signature) const {
  rules::LoopsBuilder loops(signature);
  auto const rank = signature.inputs[0].shape.rank();
  loops.add(LoopKind::parallel, 0, static_cast<std::size_t>(axis), {0, 1}, {0});
  loops.add(LoopKind::parallel, rank - static_cast<std::size_t>(inner), rank, {0, 1}, {0});
  return std::move(loops).finish();
}

// Second derivatives are not asked for by any layer.
void softmax_gradient::backward(softmax_gradient const&, BackwardContext&) {}

std::int64_t softmax_gradient::flops(Signature const& signature, std::int64_t samples) const {
  // Product, sum, difference, product (of a logarithm an exponential in place of the first); twice
  // whether an entry was clamped.
  return rules::times(!logarithm && minimum > 0 ? 6 : 4,
                      signature.inputs[0].shape.elements(samples));
}

std::int64_t softmax_gradient::scratch_bytes(Signature const&, std::int64_t, std::int64_t) const {
  return 0;
}

}  // namespace lbann::operators
