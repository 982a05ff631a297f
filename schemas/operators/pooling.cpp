// Rules of pooling.
#include "schemas/operators/pooling.hpp"

#include "schemas/operators/formulas.hpp"
#include "schemas/operators/list.hpp"
#include "schemas/operators/loops.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<pooling>) {
  return "x [batch, c, n...] -> y [batch, c, m...], m = floor((n + 2 padding - window) / "
         "stride) + 1\n"
         "y[s, c, p] = max or mean over k in the window: x[s, c, stride p + k - padding]\n"
         "max and average_no_pad leave entries outside of x out, average counts them as 0";
}

Result<TensorTypes> pooling::infer(std::span<TensorType const> inputs) const {
  if (auto misfit = rules::find_misfit(name, inputs, 1, 1)) return *misfit;
  if (!is_floating(inputs[0].type)) return rules::problem(name, "takes floating-point data");
  auto const shape = rules::pooling_shape(name, inputs[0].shape, window, stride, padding);
  if (!shape) return shape.problem();
  return TensorTypes{{inputs[0].type, shape.value()}};
}

Loops pooling::loops(Signature const& signature) const {
  rules::LoopsBuilder loops(signature);
  loops.add(LoopKind::parallel, 0, 2, {0}, {0});  // samples, channels
  for (std::size_t i = 2; i < signature.outputs[0].shape.rank(); ++i)
    loops.add(LoopKind::parallel, {rules::output(0, i), rules::windowed(rules::input(0, i))});
  return std::move(loops).finish();
}

void pooling::backward(pooling const& op, BackwardContext& context) {
  auto const gradient = context.output_gradient(0);
  if (!gradient.valid() || !context.wants(0)) return;
  context.contribute(0, context.emit(pooling_gradient{op}, {context.input(0), gradient})[0]);
}

std::int64_t pooling::flops(Signature const& signature, std::int64_t samples) const {
  // Each tap but the first of a window compared with the largest, or each added and the sum
  // divided.
  auto const &x = signature.inputs[0].shape, &y = signature.outputs[0].shape;
  std::vector<std::int64_t> const once(window.size(), 1);
  auto const positions = rules::spatial_extents(y);
  auto per_plane = rules::taps_inside(x, window, positions, {stride, padding, once});
  std::int64_t results = 1;
  for (auto extent : positions) results = rules::times(results, extent);
  per_plane += mode == PoolMode::max ? -results : results;
  return rules::times(rules::times(y.extents[0].at(samples), y.extents[1].size), per_plane);
}

std::int64_t pooling::scratch_bytes(Signature const&, std::int64_t, std::int64_t) const {
  return 0;
}

}  // namespace lbann::operators
