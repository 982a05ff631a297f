// Rules of gru_gradient.
#include "schemas/operators/gru_gradient.hpp"

#include "schemas/operators/formulas.hpp"
#include "schemas/operators/loops.hpp"
#include "schemas/operators/recurrence.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<gru_gradient>) {
  return "dy [batch, steps, h], y, state [batch, h], W [3 h, h], gates [batch, steps, 4 h]\n"
         "  -> dp [batch, steps, 3 h], dq [batch, steps, 3 h], dstate [batch, h]\n"
         "for each step, the last one first, with dh = dy + what the step after it gives:\n"
         "  dn = dh (1 - z) (1 - n^2), dz = dh (h - n) z (1 - z), dr = dn q_n r (1 - r), h the "
         "state before the step\n"
         "  dp = (dr, dz, dn), dq = (dr, dz, r dn), dh before the step = z dh + W^T dq";
}

Result<TensorTypes> gru_gradient::infer(std::span<TensorType const> inputs) const {
  if (auto misfit = rules::find_misfit(name, inputs, 5, 5)) return *misfit;
  auto const &gradient = inputs[0], &state = inputs[2];
  for (auto const& input : inputs)
    if (input.type != gradient.type || !is_floating(input.type))
      return rules::problem(name, "the inputs are not of one floating-point type");
  if (gradient.shape.rank() != 3 || state.shape.rank() != 2)
    return rules::problem(name, "takes states [batch, steps, h] and a first one [batch, h], not " +
                                    to_text(gradient.shape) + " and " + to_text(state.shape));
  auto const batch = gradient.shape.extents[0], steps = gradient.shape.extents[1];
  auto const hidden = gradient.shape.extents[2];
  Extent const three{rules::times(3, hidden.size), false};
  Extent const four{rules::times(4, hidden.size), false};
  if (hidden.batch || steps.batch || steps.size < 1 || inputs[1] != gradient ||
      state.shape != Shape{batch, hidden} || inputs[3].shape != Shape{three, hidden} ||
      inputs[4].shape != Shape{batch, steps, four})
    return rules::problem(name, "a state " + to_text(state.shape) + " does not fit states " +
                                    to_text(inputs[1].shape) + ", weights " +
                                    to_text(inputs[3].shape) + " and gates " +
                                    to_text(inputs[4].shape));
  TensorType const products{gradient.type, Shape{batch, steps, three}};
  return TensorTypes{products, products, state};
}

Loops gru_gradient::loops(Signature const& signature) const {
  rules::LoopsBuilder loops(signature);
  loops.add(LoopKind::parallel, 0, 1, {0, 1, 2, 4}, {0, 1, 2});  // samples
  return std::move(loops).finish();
}

// Second derivatives are not asked for by any layer.
void gru_gradient::backward(gru_gradient const&, BackwardContext&) {}

std::int64_t gru_gradient::flops(Signature const& signature, std::int64_t samples) const {
  // For each unit and step three products with what goes back, and sixteen for the gates.
  auto const& states = signature.inputs[0].shape;
  auto const hidden = states.extents[2].size;
  return rules::times(states.elements(samples), rules::plus(rules::times(6, hidden), 16));
}

std::int64_t gru_gradient::scratch_bytes(Signature const& signature, std::int64_t samples,
                                         std::int64_t) const {
  // Of each sample the gradients of its products.
  auto const& weights = signature.inputs[3];
  return rules::recurrence_scratch_bytes(weights, signature.inputs[2].shape.extents[0].at(samples),
                                         weights.shape.extents[0].size);
}

}  // namespace lbann::operators
