// Rules of sparse_softmax_cross_entropy.
#include "schemas/operators/sparse_softmax_cross_entropy.hpp"

#include "schemas/expression/function_list.hpp"
#include "schemas/operators/formulas.hpp"
#include "schemas/operators/list.hpp"
#include "schemas/operators/loops.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<sparse_softmax_cross_entropy>) {
  return "x [batch..., n, inner...], t [batch..., 1, inner...] -> loss, s [batch..., 1, inner...]\n"
         "s[b, r] = log(sum over j: exp(x[b, j, r]))\n"
         "loss[b, r] = min(s[b, r] - x[b, floor(t[b, r]), r], -log(minimum)), and 0 where there is "
         "no such entry";
}

Expression sparse_softmax_cross_entropy::term() {
  ExpressionBuilder build;
  auto const label = build.apply(Function::floor, {build.operand(1)});
  auto const expected = build.apply(Function::equal, {build.operand(2), label});
  auto const p = build.apply(Function::select, {expected, build.operand(0), build.constant(1)});
  return build.finish({-build.apply(Function::log, {p})});
}

Result<TensorTypes> sparse_softmax_cross_entropy::infer(std::span<TensorType const> inputs) const {
  if (auto misfit = rules::find_misfit(name, inputs, 2, 2)) return *misfit;
  auto const& [type, shape] = inputs[0];
  if (!is_floating(type) || axis < 1 || axis >= static_cast<std::int64_t>(shape.rank()) ||
      !rules::has_axes(shape, axis, static_cast<std::int64_t>(shape.rank()) - axis - 1))
    return rules::problem(name, "takes floating-point scores with an axis of classes");
  auto const labels = rules::with_ones(shape, std::array{axis});
  if (inputs[1].shape != labels)
    return rules::problem(
        name, "takes labels of shape " + to_text(labels) + ", not " + to_text(inputs[1].shape));
  if (!(minimum >= 0 && minimum < 1)) return rules::problem(name, "minimum is not in [0, 1)");
  return TensorTypes{{type, labels}, {type, labels}};
}

Loops sparse_softmax_cross_entropy::loops(Signature const& signature) const {
  rules::LoopsBuilder loops(signature);
  auto const rank = signature.inputs[0].shape.rank(), classes = static_cast<std::size_t>(axis);
  loops.add(LoopKind::parallel, 0, classes, {0, 1}, {0, 1});
  loops.add(LoopKind::parallel, classes + 1, rank, {0, 1}, {0, 1});
  return std::move(loops).finish();
}

void sparse_softmax_cross_entropy::backward(sparse_softmax_cross_entropy const& op,
                                            BackwardContext& context) {
  auto const gradient = context.output_gradient(0);
  if (!gradient.valid() || !context.wants(0)) return;
  sparse_softmax_cross_entropy_gradient const rule{op.axis, op.minimum};
  context.contribute(0, context.emit(rule, {context.input(0), context.input(1), context.output(0),
                                            context.output(1), gradient})[0]);
}

std::int64_t sparse_softmax_cross_entropy::flops(Signature const& signature,
                                                 std::int64_t samples) const {
  // Maximum, difference, exponential, sum; of a row the logarithm, the maximum less the score of
  // the class, two sums and a clamp.
  return rules::plus(
      rules::times(4, signature.inputs[0].shape.elements(samples)),
      rules::times(minimum > 0 ? 5 : 4, signature.inputs[1].shape.elements(samples)));
}

std::int64_t sparse_softmax_cross_entropy::scratch_bytes(Signature const&, std::int64_t,
                                                         std::int64_t) const {
  return 0;
}

}  // namespace lbann::operators
