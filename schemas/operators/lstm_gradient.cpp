// Rules of lstm_gradient.
#include "schemas/operators/lstm_gradient.hpp"

#include "schemas/operators/formulas.hpp"
#include "schemas/operators/loops.hpp"
#include "schemas/operators/recurrence.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<lstm_gradient>) {
  return "dy [batch, steps, h], cells [batch, steps, h], cell [batch, h], W [4 h, h],\n"
         "gates [batch, steps, 4 h], dcells [batch, steps, h] or none\n"
         "  -> dp [batch, steps, 4 h], dstate [batch, h], dcell [batch, h]\n"
         "for each step, the last one first, with dh = dy + what the step after it gives, c its "
         "cell, b the one before:\n"
         "  dc = dcells + what the step after it gives + dh o (1 - tanh(c)^2)\n"
         "  dp = (dc g i (1 - i), dc b f (1 - f), dc i (1 - g^2), dh tanh(c) o (1 - o))\n"
         "  dh before the step = W^T dp, dc before the step = f dc";
}

Result<TensorTypes> lstm_gradient::infer(std::span<TensorType const> inputs) const {
  if (auto misfit = rules::find_misfit(name, inputs, 5, 6)) return *misfit;
  auto const &gradient = inputs[0], &cell = inputs[2];
  for (auto const& input : inputs)
    if (input.type != gradient.type || !is_floating(input.type))
      return rules::problem(name, "the inputs are not of one floating-point type");
  if (gradient.shape.rank() != 3 || cell.shape.rank() != 2)
    return rules::problem(name, "takes states [batch, steps, h] and a first cell [batch, h], not " +
                                    to_text(gradient.shape) + " and " + to_text(cell.shape));
  auto const batch = gradient.shape.extents[0], steps = gradient.shape.extents[1];
  auto const hidden = gradient.shape.extents[2];
  Extent const four{rules::times(4, hidden.size), false};
  if (hidden.batch || steps.batch || steps.size < 1 || inputs[1] != gradient ||
      cell.shape != Shape{batch, hidden} || inputs[3].shape != Shape{four, hidden} ||
      inputs[4].shape != Shape{batch, steps, four} || (inputs.size() == 6 && inputs[5] != gradient))
    return rules::problem(name, "a cell " + to_text(cell.shape) + " does not fit cells " +
                                    to_text(inputs[1].shape) + ", weights " +
                                    to_text(inputs[3].shape) + " and gates " +
                                    to_text(inputs[4].shape));
  return TensorTypes{inputs[4], cell, cell};
}

Loops lstm_gradient::loops(Signature const& signature) const {
  rules::LoopsBuilder loops(signature);
  if (signature.inputs.size() == 6)
    loops.add(LoopKind::parallel, 0, 1, {0, 1, 2, 4, 5}, {0, 1, 2});  // samples
  else
    loops.add(LoopKind::parallel, 0, 1, {0, 1, 2, 4}, {0, 1, 2});
  return std::move(loops).finish();
}

// Second derivatives are not asked for by any layer.
void lstm_gradient::backward(lstm_gradient const&, BackwardContext&) {}

std::int64_t lstm_gradient::flops(Signature const& signature, std::int64_t samples) const {
  // For each unit and step four products with what goes back, and 24 for gates and cell, 25 with a
  // gradient of the cells.
  auto const& states = signature.inputs[0].shape;
  auto const hidden = states.extents[2].size;
  auto const unit = signature.inputs.size() == 6 ? 25 : 24;
  return rules::times(states.elements(samples), rules::plus(rules::times(8, hidden), unit));
}

std::int64_t lstm_gradient::scratch_bytes(Signature const& signature, std::int64_t samples,
                                          std::int64_t) const {
  // Of each sample the gradients of its products.
  auto const& weights = signature.inputs[3];
  return rules::recurrence_scratch_bytes(weights, signature.inputs[2].shape.extents[0].at(samples),
                                         weights.shape.extents[0].size);
}

}  // namespace lbann::operators
