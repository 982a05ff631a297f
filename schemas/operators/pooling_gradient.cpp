// Rules of pooling_gradient.
#include "schemas/operators/pooling_gradient.hpp"

#include <algorithm>

#include "schemas/operators/formulas.hpp"
#include "schemas/operators/loops.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<pooling_gradient>) {
  return "x [batch, c, n...], dy [batch, c, m...] -> dx [batch, c, n...]\n"
         "max: each dy goes to the first entry of its window that equals the maximum; mean: to "
         "all entries by equal parts";
}

Result<TensorTypes> pooling_gradient::infer(std::span<TensorType const> inputs) const {
  if (auto misfit = rules::find_misfit(name, inputs, 2, 2)) return *misfit;
  auto const &x = inputs[0], &dy = inputs[1];
  if (x.type != dy.type || !is_floating(x.type))
    return rules::problem(name, "data and gradient are not of one floating-point type");
  auto const shape = rules::pooling_shape(name, x.shape, window, stride, padding);
  if (!shape) return shape.problem();
  if (shape.value() != dy.shape)
    return rules::problem(name,
                          "pooling gives " + to_text(shape.value()) + ", not " + to_text(dy.shape));
  return TensorTypes{x};
}

Loops pooling_gradient::loops(Signature const& signature) const {
  using rules::input, rules::windowed;
  rules::LoopsBuilder loops(signature);
  loops.add(LoopKind::parallel, 0, 2, {0, 1}, {0});  // samples, channels
  // Which entry of x was the largest of its windows is seen from x around them.
  for (std::size_t i = 2; i < signature.outputs[0].shape.rank(); ++i)
    loops.add(LoopKind::parallel,
              {rules::output(0, i), windowed(input(0, i)), windowed(input(1, i))});
  return std::move(loops).finish();
}

// Second derivatives are not asked for by any layer.
void pooling_gradient::backward(pooling_gradient const&, BackwardContext&) {}

std::int64_t pooling_gradient::flops(Signature const& signature, std::int64_t samples) const {
  // Max: each tap but the first compared, then one addition. Average: a division, then each tap
  // added.
  auto const &x = signature.inputs[0].shape, &dy = signature.inputs[1].shape;
  std::vector<std::int64_t> const once(window.size(), 1);
  auto const positions = rules::spatial_extents(dy);
  auto per_plane = rules::taps_inside(x, window, positions, {stride, padding, once});
  if (mode != PoolMode::max) {
    std::int64_t results = 1;
    for (auto extent : positions) results = rules::times(results, extent);
    per_plane += results;
  }
  return rules::times(rules::times(dy.extents[0].at(samples), dy.extents[1].size), per_plane);
}

std::int64_t pooling_gradient::scratch_bytes(Signature const& signature, std::int64_t samples,
                                             std::int64_t threads) const {
  // For each thread the gradient of a channel's means, over their counts.
  if (mode == PoolMode::max) return 0;
  auto const& dy = signature.inputs[1];
  auto const planes = rules::times(dy.shape.extents[0].at(samples), dy.shape.extents[1].size);
  auto const plane = planes == 0 ? 0 : dy.shape.elements(samples) / planes;
  return rules::times(rules::times(std::min(planes, threads), plane),
                      static_cast<std::int64_t>(lbann::bytes_of(dy.type)));
}

}  // namespace lbann::operators
