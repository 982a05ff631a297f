// Rules of map.
#include "schemas/operators/map.hpp"

#include "schemas/operators/formulas.hpp"
#include "schemas/operators/loops.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<map>) {
  return "operands, each broadcast to `shape` -> outputs [shape]\n"
         "outputs[i] = expression(operands[i]), computed in `compute`";
}

Result<TensorTypes> map::infer(std::span<TensorType const> inputs) const {
  if (auto misfit = rules::find_misfit(name, inputs, expression, compute, shape)) return *misfit;
  if (types.size() != expression.outputs.size())
    return rules::problem(name, "needs one type for each output");
  TensorTypes outputs;
  outputs.reserve(types.size());
  for (auto type : types) outputs.push_back({type, shape});
  return outputs;
}

Loops map::loops(Signature const& signature) const {
  rules::LoopsBuilder loops(signature);
  for (auto const extent : shape.extents) loops.add(LoopKind::parallel, extent, {});
  loops.broadcast(0, shape);
  loops.fill(shape);
  return std::move(loops).finish();
}

void map::backward(map const& op, BackwardContext& context) {
  std::vector<bool> has_gradient;
  std::vector<TensorId> operands;
  for (std::size_t i = 0; i < context.input_count(); ++i) operands.push_back(context.input(i));
  for (std::size_t o = 0; o < op.types.size(); ++o) operands.push_back(context.output(o));
  for (std::size_t o = 0; o < op.types.size(); ++o) {
    operands.push_back(context.output_gradient(o));
    has_gradient.push_back(operands.back().valid());
  }
  std::vector<rules::OperandGradient> gradients;
  for (std::size_t i = 0; i < context.input_count(); ++i) {
    if (!context.wants(i)) continue;
    if (auto gradient = gradient_of(op.expression, i, has_gradient))
      gradients.push_back({i, std::move(*gradient)});
  }
  rules::contribute_elementwise(context, std::move(gradients), operands, op.shape, op.compute);
}

std::int64_t map::flops(Signature const&, std::int64_t samples) const {
  return rules::times(rules::functions_in(expression), shape.elements(samples));
}

std::int64_t map::scratch_bytes(Signature const&, std::int64_t, std::int64_t) const { return 0; }

}  // namespace lbann::operators
