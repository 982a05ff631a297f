// Rules of softmax_cross_entropy.
#include "schemas/operators/softmax_cross_entropy.hpp"

#include "schemas/expression/function_list.hpp"
#include "schemas/operators/formulas.hpp"
#include "schemas/operators/list.hpp"
#include "schemas/operators/loops.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<softmax_cross_entropy>) {
  return "x [batch, ...], t [batch, ...] -> p [batch, ...], loss [batch, 1]\n"
         "p[i] = max(exp(x[i]) / sum over j: exp(x[j]), minimum)\n"
         "loss = - sum over i: t[i] log(p[i]), terms with t[i] = 0 left out";
}

Expression softmax_cross_entropy::term() {
  ExpressionBuilder build;
  auto const p = build.operand(0), t = build.operand(1);
  auto const absent = build.apply(Function::equal, {t, build.constant(0)});
  auto const safe = build.apply(Function::select, {absent, build.constant(1), p});
  return build.finish({-(t * build.apply(Function::log, {safe}))});
}

Result<TensorTypes> softmax_cross_entropy::infer(std::span<TensorType const> inputs) const {
  if (auto misfit = rules::find_misfit(name, inputs, 2, 2)) return *misfit;
  if (inputs[0] != inputs[1] || !is_floating(inputs[0].type) || inputs[0].shape.rank() < 1)
    return rules::problem(name, "scores and targets are not of one shape and floating-point type");
  if (!(minimum >= 0 && minimum < 1)) return rules::problem(name, "minimum is not in [0, 1)");
  return TensorTypes{inputs[0], {inputs[0].type, Shape{inputs[0].shape.extents[0], {1, false}}}};
}

Loops softmax_cross_entropy::loops(Signature const& signature) const {
  rules::LoopsBuilder loops(signature);
  loops.add(LoopKind::parallel, 0, 1, {0, 1}, {0, 1});  // samples
  return std::move(loops).finish();
}

void softmax_cross_entropy::backward(softmax_cross_entropy const& op, BackwardContext& context) {
  auto const p = context.output(0), t = context.input(1);
  auto const to_probabilities = context.output_gradient(0), to_loss = context.output_gradient(1);
  if (to_loss.valid() && context.wants(0))
    context.contribute(
        0, context.emit(softmax_cross_entropy_gradient{op.minimum}, {p, t, to_loss})[0]);
  if (to_probabilities.valid() && context.wants(0))
    context.contribute(0,
                       context.emit(softmax_gradient{false, op.minimum}, {p, to_probabilities})[0]);
  if (to_loss.valid() && context.wants(1)) {
    // d loss / dt = -log p, nothing where t = 0 was left out.
    auto const type = context.type_of(t);
    Shape shape = type.shape;
    for (std::size_t i = 1; i < shape.rank(); ++i) shape.extents[i] = {1, false};
    auto const spread = rules::reshaped(context, to_loss, shape);
    ExpressionBuilder builder;
    auto const zero = builder.constant(0);
    auto const log_p = builder.apply(Function::log, {builder.operand(0)});
    auto const gradient = -(builder.operand(2) * log_p);
    auto const skipped = builder.apply(Function::equal, {builder.operand(1), zero});
    rules::contribute_elementwise(
        context,
        {{1, builder.finish({builder.apply(Function::select, {skipped, zero, gradient})})}},
        {p, t, spread}, type.shape, rules::compute_type(type.type, type.type));
  }
}

std::int64_t softmax_cross_entropy::flops(Signature const& signature, std::int64_t samples) const {
  // Softmax's five, then two differences, whether the class is expected, product, sum; two clamps;
  // a logarithm per row.
  auto const& x = signature.inputs[0].shape;
  return rules::times(minimum > 0 ? 12 : 10, x.elements(samples)) + x.extents[0].at(samples);
}

std::int64_t softmax_cross_entropy::scratch_bytes(Signature const&, std::int64_t,
                                                  std::int64_t) const {
  return 0;
}

}  // namespace lbann::operators
