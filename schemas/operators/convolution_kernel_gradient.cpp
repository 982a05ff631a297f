// Rules of convolution_kernel_gradient.
#include "schemas/operators/convolution_kernel_gradient.hpp"

#include <algorithm>

#include "schemas/operators/formulas.hpp"
#include "schemas/operators/kernel_gradient_parts.hpp"
#include "schemas/operators/list.hpp"
#include "schemas/operators/loops.hpp"
#include "schemas/operators/rules.hpp"
#include "schemas/operators/sixteen_bit_tiling.hpp"
#include "schemas/operators/widened_factors.hpp"
#include "schemas/operators/winograd_shapes.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<convolution_kernel_gradient>) {
  return "x [batch, c, n...], dy [batch, o, m...] -> dK [o, c / groups, extent...]\n"
         "dK[o, c, k] = sum over s, p: dy[s, o, p] x[s, c, stride p + dilation k - padding]";
}

Result<TensorTypes> convolution_kernel_gradient::infer(std::span<TensorType const> inputs) const {
  if (auto misfit = rules::find_misfit(name, inputs, 2, 2)) return *misfit;
  auto const &x = inputs[0], &dy = inputs[1];
  if (x.type != dy.type || !is_floating(x.type))
    return rules::problem(name, "data and gradient are not of one floating-point type");
  if (x.shape.rank() < 3 || dy.shape.rank() != x.shape.rank() ||
      extent.size() + 2 != x.shape.rank())
    return rules::problem(name, "ranks of " + to_text(x.shape) + ", " + to_text(dy.shape) +
                                    " and the result do not fit");
  if (groups < 1 || groups > rules::max_extent) return rules::problem(name, "has no groups");
  Shape shape{dy.shape.extents[1], {x.shape.extents[1].size / groups, false}};
  for (auto size : extent) shape.extents.push_back({size, false});
  if (!rules::sound(shape)) return rules::problem(name, "no tensor has shape " + to_text(shape));
  auto const forward =
      rules::convolution_shape(name, x.shape, shape, {stride, padding, dilation}, groups);
  if (!forward) return forward.problem();
  if (forward.value() != dy.shape)
    return rules::problem(
        name, "the convolution gives " + to_text(forward.value()) + ", not " + to_text(dy.shape));
  return TensorTypes{{compute_type_of(x.type), std::move(shape)}};
}

Loops convolution_kernel_gradient::loops(Signature const& signature) const {
  using rules::input, rules::output, rules::windowed;
  rules::LoopsBuilder loops(signature);
  loops.add(LoopKind::summed, {input(0, 0), input(1, 0)});  // samples
  if (groups > 1) {
    loops.add(LoopKind::parallel, {groups}, {input(0, 1), input(1, 1), output(0, 0)});
  } else {
    loops.add(LoopKind::parallel, {input(0, 1), output(0, 1)});  // channels
    loops.add(LoopKind::parallel, {input(1, 1), output(0, 0)});  // filters
  }
  for (std::size_t i = 2; i < signature.inputs[1].shape.rank(); ++i)
    loops.add(LoopKind::summed, {input(1, i), windowed(input(0, i))});
  return std::move(loops).finish();
}

void convolution_kernel_gradient::backward(convolution_kernel_gradient const& op,
                                           BackwardContext& context) {
  if (!context.output_gradient(0).valid()) return;
  auto const x = context.input(0), dy = context.input(1);
  auto const gradient = context.in_type(context.output_gradient(0), context.type_of(x).type);
  if (context.wants(0)) {
    auto const& shape = context.type_of(x).shape;
    convolution_input_gradient rule{op, {}};
    for (std::size_t i = 2; i < shape.rank(); ++i) rule.extent.push_back(shape.extents[i].size);
    context.contribute(0, context.emit(std::move(rule), {dy, gradient})[0]);
  }
  if (context.wants(1)) {
    convolution rule{op, {}, {}};
    context.contribute(1, context.emit(std::move(rule), {x, gradient})[0]);
  }
}

std::int64_t convolution_kernel_gradient::flops(Signature const& signature,
                                                std::int64_t samples) const {
  // Each tap of the convolution once more, summed over positions and samples.
  return rules::convolution_flops(signature.inputs[0].shape, signature.outputs[0].shape,
                                  signature.inputs[1].shape, {stride, padding, dilation}, samples);
}

std::int64_t convolution_kernel_gradient::scratch_bytes(Signature const& signature,
                                                        std::int64_t samples,
                                                        std::int64_t threads) const {
  // Samples laid out, a million elements at a time or one sample, and the sums. Either with their
  // last axis once for each tap and gradients in whole registers, at most 64 samples with sums of
  // up to 8 groups of them; or with their margins, and gradients in whole tiles of 8 filters.
  auto const& kernel = signature.outputs[0].shape;
  auto const &x = signature.inputs[0].shape, &y = signature.inputs[1].shape;
  ConvolutionShapes const shapes{x, kernel, y, {stride, padding, dilation}, groups};
  if (widens_factors(signature.inputs[0].type, shapes, ConvolutionPart::kernel_gradient))
    return widened_scratch_bytes(*this, signature, samples, threads);
  if (is_sixteen_bit(signature.inputs[0].type)) {
    auto const filters = kernel.extents[0].size;
    return transformed_scratch_bytes(
        *this, signature, shapes, ConvolutionPart::kernel_gradient,
        sixteen_bit_convolution_bytes(
            groups, filters / groups, rules::columns_of_images(y, samples),
            kernel.elements(1) / std::max<std::int64_t>(filters, 1), threads),
        samples, threads);
  }
  auto const element =
      static_cast<std::int64_t>(lbann::bytes_of(compute_type_of(signature.inputs[0].type)));
  auto const batch = y.extents[0].at(samples);
  auto const gradient = batch == 0 ? 0 : y.elements(samples) / batch;
  std::vector<rules::WindowSteps> axes;
  auto margined = x.extents[1].size, entries = std::int64_t{1}, positions = entries, taps = entries;
  for (std::size_t i = 2; i < y.rank(); ++i) {
    axes.push_back({kernel.extents[i].size, y.extents[i].size, stride[i - 2], dilation[i - 2]});
    margined = rules::times(margined, x.extents[i].size + 2 * padding[i - 2]);
    entries = rules::times(entries, x.extents[i].size);
    positions = rules::times(positions, y.extents[i].size);
    taps = rules::times(taps, kernel.extents[i].size);
  }
  auto const in_tiles = [](std::int64_t count, std::int64_t of) {
    return rules::times(rules::plus(count, of - 1) / of, of);
  };
  auto const at_a_time = [](std::int64_t count, std::int64_t sample) {
    return std::min(rules::times(count, sample), std::max(sample, std::int64_t{1} << 20));
  };

  auto planes = y.extents[1].size;  // rows of dy that are rounded up to registers of 16
  if (y.rank() == 5) planes = rules::times(planes, y.extents[2].size);
  auto const parts =
      std::clamp<std::int64_t>((1 << 18) / std::max<std::int64_t>(kernel.elements(1), 1), 1, 8);
  auto const by_sums =
      rules::plus(at_a_time(std::min<std::int64_t>(batch, 64),
                            rules::plus(rules::laid_out(x.extents[1].size, axes),
                                        rules::plus(gradient, rules::times(16, planes)))),
                  rules::times(parts, kernel.elements(1) + 16));

  // Parts of the samples have sums of their own, and buffers where there are enough parts for all
  // threads. Bundles of samples have 192 positions; the last one of a part may be of fewer samples.
  // Channels of a position may be a cache line, a quarter of them at most, apart.
  auto const read = rules::plus(batch == 0 ? 0 : x.elements(samples) / batch, gradient);
  KernelGradientParts const cut(batch, read, kernel.elements(1));
  auto const together = std::min(cut.samples, batch);
  auto const bundle =
      std::min(together, rules::plus(191, positions) / std::max<std::int64_t>(positions, 1));
  auto const spread = rules::times(5, margined) / 4 + 1;
  auto const buffer = rules::plus(
      64,
      at_a_time(rules::plus(together, bundle),
                rules::plus(spread, rules::plus(gradient, rules::times(8 * groups, positions)))));
  // The sums of a filter: for each row of a window whole registers, of one tap as in the kernel.
  auto const depth = kernel.extents[1].size;
  auto sums = kernel.elements(1);
  if (taps > 1 && depth > 0) {
    auto const row = dilation.back() == 1 ? rules::times(kernel.extents.back().size, depth) : depth;
    sums = rules::times(sums / row, in_tiles(row, 16));
  }
  auto const by_products = rules::plus(rules::times(std::min(threads, cut.upper_bound), buffer),
                                       rules::times(cut.upper_bound, sums));

  // Of small images all samples, in tiles of up to 48 channels and panels of 8 filters, 8 million
  // elements at most; for each thread a tile of up to 32 taps.
  auto const tiles =
      rules::times(rules::times(batch, groups),
                   rules::plus(rules::times(in_tiles(x.extents[1].size / groups, 48), entries),
                               rules::times(in_tiles(y.extents[1].size / groups, 8), positions)));
  bool const suits_tiles = std::max(entries, positions) <= 256 && taps > 1 &&
                           x.extents[1].size / groups >= 16 && y.extents[1].size / groups >= 8;
  auto const by_tiles = !suits_tiles ? 0
                                     : rules::plus(std::min(tiles, std::int64_t{1} << 23),
                                                   rules::times(rules::times(threads, 8 * 48),
                                                                std::min<std::int64_t>(taps, 32)));

  // Of single channels sums in double, those of some parts of the samples where channels are few.
  auto const channels = x.extents[1].size;
  bool const single = groups == channels && y.extents[1].size == channels;
  auto const by_planes =
      single ? rules::times(4 * channels + 128, kernel.elements(1) / channels) : 0;
  auto const winograd =
      winograd_shapes(x, kernel, y, {stride, padding, dilation}, groups, false, samples);
  auto const by_points =
      winograd && element == sizeof(float) ? winograd->gradient_scratch_elements(threads) : 0;
  return rules::times(std::max({by_sums, by_products, by_tiles, by_planes, by_points}), element);
}

}  // namespace lbann::operators
