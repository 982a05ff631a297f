// Rules of gru.
#include "schemas/operators/gru.hpp"

#include <algorithm>

#include "schemas/operators/formulas.hpp"
#include "schemas/operators/list.hpp"
#include "schemas/operators/loops.hpp"
#include "schemas/operators/recurrence.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<gru>) {
  return "p [batch, steps, 3 h], state [batch, h], W [3 h, h], b [3 h] -> y [batch, steps, h], "
         "gates [batch, steps, 4 h]\n"
         "for each step: q = W state + b, p and q being cut into three parts each\n"
         "  r = sigmoid(p_r + q_r), z = sigmoid(p_z + q_z), n = tanh(p_n + r q_n)\n"
         "  state = n + z (state - n), which is y; r, z, n and q_n are the gates";
}

Result<TensorTypes> gru::infer(std::span<TensorType const> inputs) const {
  if (auto misfit = rules::find_misfit(name, inputs, 4, 4)) return *misfit;
  auto const &products = inputs[0], &state = inputs[1];
  for (auto const& input : inputs)
    if (input.type != products.type || !is_floating(input.type))
      return rules::problem(name, "the inputs are not of one floating-point type");
  if (products.shape.rank() != 3 || state.shape.rank() != 2)
    return rules::problem(name, "takes products [batch, steps, 3 h] and a state [batch, h], not " +
                                    to_text(products.shape) + " and " + to_text(state.shape));
  auto const batch = products.shape.extents[0], steps = products.shape.extents[1];
  auto const hidden = state.shape.extents[1];
  Extent const three{rules::times(3, hidden.size), false};
  if (hidden.batch || steps.batch || steps.size < 1 || state.shape.extents[0] != batch ||
      products.shape.extents[2] != three || inputs[2].shape != Shape{three, hidden} ||
      inputs[3].shape != Shape{three})
    return rules::problem(name, "a state " + to_text(state.shape) + " does not fit products " +
                                    to_text(products.shape) + ", weights " +
                                    to_text(inputs[2].shape) + " and a bias " +
                                    to_text(inputs[3].shape));
  Shape const gates{batch, steps, {rules::times(4, hidden.size), false}};
  if (!rules::sound(gates)) return rules::problem(name, "the result is too large");
  return TensorTypes{{products.type, Shape{batch, steps, hidden}}, {products.type, gates}};
}

Loops gru::loops(Signature const& signature) const {
  rules::LoopsBuilder loops(signature);
  loops.add(LoopKind::parallel, 0, 1, {0, 1}, {0, 1});  // samples
  return std::move(loops).finish();
}

void gru::backward(gru const&, BackwardContext& context) {
  auto const gradient = context.output_gradient(0);
  if (!gradient.valid()) return;
  auto const first = context.input(1), weights = context.input(2);
  auto const parts = context.emit(gru_gradient{},
                                  {gradient, context.output(0), first, weights, context.output(1)});
  if (context.wants(0)) context.contribute(0, parts[0]);
  if (context.wants(1)) context.contribute(1, parts[2]);
  if (context.wants(2))
    context.contribute(
        2, rules::recurrent_weights_gradient(context, context.output(0), first, parts[1]));
  if (context.wants(3)) {
    auto const [type, shape] = context.type_of(parts[1]);  // copied: the table of tensors grows
    ExpressionBuilder builder;
    reduce sum{ReduceMode::sum, builder.finish({builder.operand(0)}), shape,
               {0, 1},          rules::compute_type(type, type),      type};
    context.contribute(3, context.emit(std::move(sum), {parts[1]})[0]);
  }
}

std::int64_t gru::flops(Signature const& signature, std::int64_t samples) const {
  // For each unit and step three products with the state, their bias, and ten for the gates.
  auto const& states = signature.outputs[0].shape;
  auto const hidden = states.extents[2].size;
  return rules::times(states.elements(samples), rules::plus(rules::times(6, hidden), 3 + 10));
}

std::int64_t gru::scratch_bytes(Signature const& signature, std::int64_t samples,
                                std::int64_t) const {
  // Of each sample its state before and after a step, and products of up to 64 units.
  auto const& state = signature.inputs[1].shape;
  auto const hidden = state.extents[1].size;
  return rules::recurrence_scratch_bytes(
      signature.inputs[2], state.extents[0].at(samples),
      rules::plus(rules::times(2, hidden), 3 * std::min<std::int64_t>(hidden, 64)));
}

}  // namespace lbann::operators
