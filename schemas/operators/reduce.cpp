// Rules of reduce.
#include "schemas/operators/reduce.hpp"

#include "schemas/functions/list.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::operators {

Result<TensorTypes> reduce::infer(std::span<TensorType const> inputs) const {
  if (auto misfit = rules::find_misfit(name, inputs, 0, max_operands)) return *misfit;
  if (auto fault = find_fault(expression, inputs.size())) return rules::problem(name, *fault);
  if (expression.operand_count() != inputs.size())
    return rules::problem(name, "has more inputs than its expression operands");
  if (expression.outputs.size() != 1) return rules::problem(name, "reduces one output");
  if (compute != DataType::f32 && compute != DataType::f64)
    return rules::problem(name, "computes in f32 or f64");
  if (!rules::sound(shape)) return rules::problem(name, "no tensor has shape " + to_text(shape));
  for (auto const& input : inputs)
    if (!rules::broadcasts_to(input.shape, shape))
      return rules::problem(name,
                            to_text(input.shape) + " does not broadcast to " + to_text(shape));
  TensorType output{type, {}};
  std::size_t next = 0;
  for (std::size_t axis = 0; axis < shape.rank(); ++axis)
    if (next < axes.size() && axes[next] == static_cast<std::int64_t>(axis))
      ++next;
    else
      output.shape.extents.push_back(shape.extents[axis]);
  if (next != axes.size())
    return rules::problem(name, "axes are not ascending axes of " + to_text(shape));
  return TensorTypes{std::move(output)};
}

void reduce::backward(reduce const& op, BackwardContext& context) {
  if (!context.output_gradient(0).valid()) return;
  // The output and its gradient with the reduced axes kept as extents of 1.
  auto kept = op.shape;
  for (auto axis : op.axes) kept.extents[static_cast<std::size_t>(axis)] = {1, false};
  auto const keep = [&](TensorId tensor) { return rules::reshaped(context, tensor, kept); };

  std::vector<TensorId> operands;
  auto const count = context.input_count();
  for (std::size_t i = 0; i < count; ++i) operands.push_back(context.input(i));
  TensorId gradient_kept, output_kept;
  for (std::size_t i = 0; i < count; ++i) {
    if (!context.wants(i)) continue;
    // Operands of the rule: inputs, value of each element (unused), gradient of each element.
    auto derivative = gradient_of(op.expression, i, {true});
    if (!derivative) continue;
    if (!gradient_kept.valid()) gradient_kept = keep(context.output_gradient(0));
    ExpressionBuilder builder;
    std::vector<Term> terms;
    for (std::size_t k = 0; k < count; ++k) terms.push_back(builder.operand(k));
    auto const value = builder.inlined(op.expression, terms)[0];
    auto gradient = builder.operand(count);
    auto all = operands;
    all.push_back(gradient_kept);
    if (op.mode == ReduceMode::max) {
      // Every element that equals the maximum gets the gradient.
      if (!output_kept.valid()) output_kept = keep(context.output(0));
      all.push_back(output_kept);
      auto const largest = builder.apply(Function::equal, {value, builder.operand(count + 1)});
      gradient = builder.apply(Function::select, {largest, gradient, builder.constant(0)});
    }
    terms.push_back(value);
    terms.push_back(gradient);
    auto const rule = builder.finish(builder.inlined(*derivative, terms));
    rules::contribute_elementwise(context, i, rule, all, op.shape, op.compute);
  }
}

std::int64_t reduce::flops(Signature const&, std::int64_t samples) const {
  return rules::times(rules::functions_in(expression) + 1, shape.elements(samples));
}

std::int64_t reduce::scratch_bytes(Signature const& signature, std::int64_t samples) const {
  // Partial results in f64 of up to 256 threads or blocks.
  auto const outputs = signature.outputs[0].shape.elements(samples);
  return rules::times(rules::times(outputs, 8), 256);
}

}  // namespace lbann::operators
