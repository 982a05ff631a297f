// Rules of moments.
#include "schemas/operators/moments.hpp"

#include "schemas/operators/formulas.hpp"
#include "schemas/operators/loops.hpp"
#include "schemas/operators/partial_results.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<moments>) {
  return "x -> n [], mean [shape of x without `axes`], m2 of the same shape; all f64\n"
         "mean[i] = sum over j: x[i, j] / n, m2[i] = sum over j: (x[i, j] - mean[i])^2, j over "
         "the n entries along `axes`";
}

Result<TensorTypes> moments::infer(std::span<TensorType const> inputs) const {
  if (auto misfit = rules::find_misfit(name, inputs, 1, 1)) return *misfit;
  auto const& x = inputs[0];
  if (!is_floating(x.type)) return rules::problem(name, "takes floating-point data");
  auto const kept = rules::without_axes(x.shape, axes);
  if (!kept) return rules::problem(name, "axes are not ascending axes of " + to_text(x.shape));
  return TensorTypes{{DataType::f64, {}}, {DataType::f64, *kept}, {DataType::f64, *kept}};
}

Loops moments::loops(Signature const& signature) const {
  rules::LoopsBuilder loops(signature);
  auto const& shape = signature.inputs[0].shape;
  std::size_t reduced = 0;
  for (std::size_t i = 0; i < shape.rank(); ++i)
    if (reduced < axes.size() && axes[reduced] == static_cast<std::int64_t>(i)) {
      loops.add(LoopKind::merged, {rules::input(0, i)});
      ++reduced;
    } else {
      auto const at = i - reduced;
      loops.add(LoopKind::parallel,
                {rules::input(0, i), rules::output(1, at), rules::output(2, at)});
    }
  return std::move(loops).finish();
}

// d mean / dx = 1 / count; d m2 / dx = 2 (x - mean), for deviations sum to nothing.
void moments::backward(moments const& op, BackwardContext& context) {
  auto const to_mean = context.output_gradient(1), to_m2 = context.output_gradient(2);
  if (!context.wants(0) || (!to_mean.valid() && !to_m2.valid())) return;
  auto const x = context.input(0);
  auto const type = context.type_of(x);
  auto const kept = rules::with_ones(type.shape, op.axes);
  ExpressionBuilder builder;
  auto gradient = builder.constant(0);
  std::vector<TensorId> operands;
  auto const operand = [&](TensorId tensor) {
    operands.push_back(tensor);
    return builder.operand(operands.size() - 1);
  };
  if (to_mean.valid())
    gradient = operand(rules::reshaped(context, to_mean, kept)) / operand(context.output(0));
  if (to_m2.valid()) {
    auto const deviation = operand(x) - operand(rules::reshaped(context, context.output(1), kept));
    auto const slope = operand(rules::reshaped(context, to_m2, kept)) * 2.0;
    gradient = gradient + deviation * slope;
  }
  map rule{builder.finish({gradient}),
           type.shape,
           rules::compute_type(type.type, type.type),
           {type.type}};
  context.contribute(0, context.emit(std::move(rule), std::move(operands))[0]);
}

std::int64_t moments::flops(Signature const& signature, std::int64_t samples) const {
  // Sum; difference, square, sum. A quotient for each mean.
  return rules::plus(rules::times(4, signature.inputs[0].shape.elements(samples)),
                     signature.outputs[1].shape.elements(samples));
}

std::int64_t moments::scratch_bytes(Signature const& signature, std::int64_t samples,
                                    std::int64_t) const {
  // A mean and a sum for each, in f64.
  return rules::times(rules::most_partials(signature.outputs[1].shape.elements(samples)), 16);
}

}  // namespace lbann::operators
