// Rules of map.
#include "schemas/operators/map.hpp"

#include "schemas/operators/formulas.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<map>) {
  return "operands, each broadcast to `shape` -> outputs [shape]\n"
         "outputs[i] = expression(operands[i]), computed in `compute`";
}

Result<TensorTypes> map::infer(std::span<TensorType const> inputs) const {
  if (auto misfit = rules::find_misfit(name, inputs, 0, max_operands)) return *misfit;
  if (auto fault = find_fault(expression, inputs.size())) return rules::problem(name, *fault);
  if (expression.operand_count() != inputs.size())
    return rules::problem(name, "has more inputs than its expression operands");
  if (types.size() != expression.outputs.size())
    return rules::problem(name, "needs one type for each output");
  if (compute != DataType::f32 && compute != DataType::f64)
    return rules::problem(name, "computes in f32 or f64");
  if (!rules::sound(shape)) return rules::problem(name, "no tensor has shape " + to_text(shape));
  for (auto const& input : inputs)
    if (!rules::broadcasts_to(input.shape, shape))
      return rules::problem(name,
                            to_text(input.shape) + " does not broadcast to " + to_text(shape));
  TensorTypes outputs;
  outputs.reserve(types.size());
  for (auto type : types) outputs.push_back({type, shape});
  return outputs;
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

std::int64_t map::scratch_bytes(Signature const&, std::int64_t) const { return 0; }

}  // namespace lbann::operators
