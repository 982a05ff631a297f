// Rules of lstm.
#include "schemas/operators/lstm.hpp"

#include <algorithm>

#include "schemas/operators/formulas.hpp"
#include "schemas/operators/list.hpp"
#include "schemas/operators/loops.hpp"
#include "schemas/operators/recurrence.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<lstm>) {
  return "x [batch, steps, 4 h], state [batch, h], cell [batch, h], W [4 h, h]\n"
         "  -> y [batch, steps, h], cells [batch, steps, h], gates [batch, steps, 4 h]\n"
         "for each step: p = x + W state, cut into four parts\n"
         "  i = sigmoid(p_i), f = sigmoid(p_f), g = tanh(p_g), o = sigmoid(p_o)\n"
         "  cell = f cell + i g, which is one of the cells; state = o tanh(cell), which is y\n"
         "  i, f, g and o are the gates";
}

Result<TensorTypes> lstm::infer(std::span<TensorType const> inputs) const {
  if (auto misfit = rules::find_misfit(name, inputs, 4, 4)) return *misfit;
  auto const &products = inputs[0], &state = inputs[1];
  for (auto const& input : inputs)
    if (input.type != products.type || !is_floating(input.type))
      return rules::problem(name, "the inputs are not of one floating-point type");
  if (products.shape.rank() != 3 || state.shape.rank() != 2)
    return rules::problem(name, "takes products [batch, steps, 4 h] and a state [batch, h], not " +
                                    to_text(products.shape) + " and " + to_text(state.shape));
  auto const batch = products.shape.extents[0], steps = products.shape.extents[1];
  auto const hidden = state.shape.extents[1];
  Extent const four{rules::times(4, hidden.size), false};
  if (hidden.batch || steps.batch || steps.size < 1 || state.shape.extents[0] != batch ||
      products.shape.extents[2] != four || inputs[2] != state ||
      inputs[3].shape != Shape{four, hidden})
    return rules::problem(name, "a state " + to_text(state.shape) + " does not fit products " +
                                    to_text(products.shape) + ", a cell " +
                                    to_text(inputs[2].shape) + " and weights " +
                                    to_text(inputs[3].shape));
  TensorType const states{products.type, Shape{batch, steps, hidden}};
  return TensorTypes{states, states, products};
}

Loops lstm::loops(Signature const& signature) const {
  rules::LoopsBuilder loops(signature);
  loops.add(LoopKind::parallel, 0, 1, {0, 1, 2}, {0, 1, 2});  // samples
  return std::move(loops).finish();
}

void lstm::backward(lstm const&, BackwardContext& context) {
  auto of_states = context.output_gradient(0);
  auto const of_cells = context.output_gradient(1);
  if (!of_states.valid() && !of_cells.valid()) return;
  auto const states = context.output(0), first = context.input(1);
  if (!of_states.valid()) {
    auto const [type, shape] = context.type_of(states);  // copied: the table of tensors grows
    ExpressionBuilder build;
    map zeros{build.finish({build.constant(0)}), shape, rules::compute_type(type, type), {type}};
    of_states = context.emit(std::move(zeros), {})[0];
  }
  std::vector<TensorId> inputs = {of_states, context.output(1), context.input(2), context.input(3),
                                  context.output(2)};
  if (of_cells.valid()) inputs.push_back(of_cells);
  auto const parts = context.emit(lstm_gradient{}, std::move(inputs));
  if (context.wants(0)) context.contribute(0, parts[0]);
  if (context.wants(1)) context.contribute(1, parts[1]);
  if (context.wants(2)) context.contribute(2, parts[2]);
  if (context.wants(3))
    context.contribute(3, rules::recurrent_weights_gradient(context, states, first, parts[0]));
}

std::int64_t lstm::flops(Signature const& signature, std::int64_t samples) const {
  // For each unit and step four products with the state, and 13 for gates, cell and state.
  auto const& states = signature.outputs[0].shape;
  auto const hidden = states.extents[2].size;
  return rules::times(states.elements(samples), rules::plus(rules::times(8, hidden), 13));
}

std::int64_t lstm::scratch_bytes(Signature const& signature, std::int64_t samples,
                                 std::int64_t) const {
  // Of each sample its state before and after a step, and products of up to 64 units.
  auto const& state = signature.inputs[1].shape;
  auto const hidden = state.extents[1].size;
  return rules::recurrence_scratch_bytes(
      signature.inputs[3], state.extents[0].at(samples),
      rules::plus(rules::times(2, hidden), 4 * std::min<std::int64_t>(hidden, 64)));
}

}  // namespace lbann::operators
