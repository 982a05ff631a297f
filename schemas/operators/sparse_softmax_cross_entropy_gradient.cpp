// Rules of sparse_softmax_cross_entropy_gradient.
#include "schemas/operators/sparse_softmax_cross_entropy_gradient.hpp"

#include "schemas/operators/formulas.hpp"
#include "schemas/operators/list.hpp"
#include "schemas/operators/loops.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<sparse_softmax_cross_entropy_gradient>) {
  return "x [batch..., n, inner...], t, loss, s, dloss [batch..., 1, inner...] -> dx [batch..., n, "
         "inner...]\n"
         "p[b, i, r] = exp(x[b, i, r] - s[b, r])\n"
         "dx[b, i, r] = dloss[b, r] (p[b, i, r] - (1 if i = floor(t[b, r]), else 0)); 0 where p[b, "
         "i, r] is below `minimum`, loss[b, r] is -log(minimum), or there is no such entry";
}

Result<TensorTypes> sparse_softmax_cross_entropy_gradient::infer(
    std::span<TensorType const> inputs) const {
  if (auto misfit = rules::find_misfit(name, inputs, 5, 5)) return *misfit;
  sparse_softmax_cross_entropy const forward{axis, minimum};
  auto const outputs = forward.infer(inputs.first(2));
  if (!outputs) return outputs.problem();
  for (auto const& given : inputs.subspan(2))
    if (given != outputs.value()[0])
      return rules::problem(
          name, "losses, logarithms and gradients are not of one type, one for each label");
  return TensorTypes{inputs[0]};
}

Loops sparse_softmax_cross_entropy_gradient::loops(Signature const& signature) const {
  rules::LoopsBuilder loops(signature);
  auto const rank = signature.inputs[0].shape.rank(), classes = static_cast<std::size_t>(axis);
  loops.add(LoopKind::parallel, 0, classes, {0, 1, 2, 3, 4}, {0});
  loops.add(LoopKind::parallel, classes + 1, rank, {0, 1, 2, 3, 4}, {0});
  return std::move(loops).finish();
}

// Second derivatives are not asked for by any layer.
void sparse_softmax_cross_entropy_gradient::backward(sparse_softmax_cross_entropy_gradient const&,
                                                     BackwardContext&) {}

std::int64_t sparse_softmax_cross_entropy_gradient::flops(Signature const& signature,
                                                          std::int64_t samples) const {
  // Difference, exponential, product; of a row a difference. With a clamp a comparison of each.
  auto const elements = signature.inputs[0].shape.elements(samples),
             rows = signature.inputs[1].shape.elements(samples);
  return minimum > 0 ? rules::plus(rules::times(4, elements), rules::times(2, rows))
                     : rules::plus(rules::times(3, elements), rows);
}

std::int64_t sparse_softmax_cross_entropy_gradient::scratch_bytes(Signature const&, std::int64_t,
                                                                  std::int64_t) const {
  return 0;
}

}  // namespace lbann::operators
