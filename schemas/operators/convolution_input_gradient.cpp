// Rules of convolution_input_gradient.
#include "schemas/operators/convolution_input_gradient.hpp"

#include <algorithm>

#include "schemas/operators/formulas.hpp"
#include "schemas/operators/list.hpp"
#include "schemas/operators/loops.hpp"
#include "schemas/operators/rules.hpp"
#include "schemas/operators/sixteen_bit_tiling.hpp"
#include "schemas/operators/widened_factors.hpp"
#include "schemas/operators/winograd_shapes.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<convolution_input_gradient>) {
  return "dy [batch, o, m...], K [o, c / groups, k...] -> dx [batch, c, extent...]\n"
         "dx[s, c, q] = sum over o, p, k where stride p + dilation k - padding = q: K[o, c, k] "
         "dy[s, o, p]";
}

Result<TensorTypes> convolution_input_gradient::infer(std::span<TensorType const> inputs) const {
  if (auto misfit = rules::find_misfit(name, inputs, 2, 2)) return *misfit;
  auto const &dy = inputs[0], &kernel = inputs[1];
  if (dy.type != kernel.type || !is_floating(dy.type))
    return rules::problem(name, "gradient and kernel are not of one floating-point type");
  if (dy.shape.rank() < 3 || kernel.shape.rank() != dy.shape.rank() ||
      extent.size() + 2 != dy.shape.rank())
    return rules::problem(name, "ranks of " + to_text(dy.shape) + ", " + to_text(kernel.shape) +
                                    " and the result do not fit");
  if (groups < 1 || groups > rules::max_extent) return rules::problem(name, "has no groups");
  Shape shape{dy.shape.extents[0], {rules::times(kernel.shape.extents[1].size, groups), false}};
  for (auto size : extent) shape.extents.push_back({size, false});
  if (!rules::sound(shape)) return rules::problem(name, "no tensor has shape " + to_text(shape));
  auto const forward =
      rules::convolution_shape(name, shape, kernel.shape, {stride, padding, dilation}, groups);
  if (!forward) return forward.problem();
  if (forward.value() != dy.shape)
    return rules::problem(
        name, "the convolution gives " + to_text(forward.value()) + ", not " + to_text(dy.shape));
  return TensorTypes{{compute_type_of(dy.type), std::move(shape)}};
}

Loops convolution_input_gradient::loops(Signature const& signature) const {
  using rules::input, rules::output, rules::windowed;
  rules::LoopsBuilder loops(signature);
  loops.add(LoopKind::parallel, {input(0, 0), output(0, 0)});  // samples
  if (groups > 1) {
    loops.add(LoopKind::parallel, {groups}, {input(0, 1), input(1, 0), output(0, 1)});
  } else {
    loops.add(LoopKind::parallel, {input(1, 1), output(0, 1)});  // channels
    loops.add(LoopKind::summed, {input(0, 1), input(1, 0)});     // filters
  }
  for (std::size_t i = 2; i < signature.outputs[0].shape.rank(); ++i)
    loops.add(LoopKind::parallel, {output(0, i), windowed(input(0, i))});
  return std::move(loops).finish();
}

void convolution_input_gradient::backward(convolution_input_gradient const& op,
                                          BackwardContext& context) {
  if (!context.output_gradient(0).valid()) return;
  auto const dy = context.input(0), kernel = context.input(1);
  auto const gradient = context.in_type(context.output_gradient(0), context.type_of(dy).type);
  if (context.wants(0)) {
    convolution rule{op, {}, {}};
    context.contribute(0, context.emit(std::move(rule), {gradient, kernel})[0]);
  }
  if (context.wants(1)) {
    auto const& shape = context.type_of(kernel).shape;
    convolution_kernel_gradient rule{op, {}};
    for (std::size_t i = 2; i < shape.rank(); ++i) rule.extent.push_back(shape.extents[i].size);
    context.contribute(1, context.emit(std::move(rule), {gradient, dy})[0]);
  }
}

std::int64_t convolution_input_gradient::flops(Signature const& signature,
                                               std::int64_t samples) const {
  // Each tap of the convolution once more, the other way.
  return rules::convolution_flops(signature.outputs[0].shape, signature.inputs[1].shape,
                                  signature.inputs[0].shape, {stride, padding, dilation}, samples);
}

std::int64_t convolution_input_gradient::scratch_bytes(Signature const& signature,
                                                       std::int64_t samples,
                                                       std::int64_t threads) const {
  // The kernel in the order of register tiles; for each thread a sample of a group
  // laid out for the entries of one remainder modulo the stride, and these entries. Of small images
  // all samples.
  auto const& kernel = signature.inputs[1].shape;
  auto const& x = signature.outputs[0].shape;
  ConvolutionShapes const shapes{
      x, kernel, signature.inputs[0].shape, {stride, padding, dilation}, groups};
  if (widens_factors(signature.inputs[0].type, shapes, ConvolutionPart::input_gradient))
    return widened_scratch_bytes(*this, signature, samples, threads);
  if (is_sixteen_bit(signature.inputs[0].type)) {
    std::vector<SixteenBitAxis> axes;
    for (std::size_t i = 2; i < x.rank(); ++i)
      axes.push_back({x.extents[i].size, kernel.extents[i].size, stride[i - 2], padding[i - 2],
                      dilation[i - 2]});
    return transformed_scratch_bytes(
        *this, signature, shapes, ConvolutionPart::input_gradient,
        sixteen_bit_input_gradient_bytes(groups, kernel.extents[1].size,
                                         kernel.extents[0].size / groups, x.extents[0].at(samples),
                                         axes, threads),
        samples, threads);
  }
  auto const element =
      static_cast<std::int64_t>(lbann::bytes_of(compute_type_of(signature.inputs[0].type)));
  std::vector<rules::WindowSteps> axes;
  auto part = kernel.extents[1].size;
  for (std::size_t i = 2; i < x.rank(); ++i) {
    auto const step = stride[i - 2];
    auto const entries = (x.extents[i].size + step - 1) / step;
    axes.push_back({kernel.extents[i].size, entries, 1, dilation[i - 2]});
    part = rules::times(part, entries);
  }
  auto const slot = rules::laid_out(kernel.extents[0].size / groups, axes) + part + 16;
  auto const large = rules::times(std::min(x.extents[0].at(samples), threads), slot) +
                     rules::times(2, kernel.elements(1)) + 64;
  auto const small =
      rules::samples_innermost(signature.inputs[0].shape, x, kernel, {stride, padding, dilation},
                               groups, true, samples, threads);
  auto const packed =
      rules::im2col_blocks(signature.inputs[0].shape, kernel, x, groups, samples, threads);
  auto const winograd = winograd_shapes(x, kernel, signature.inputs[0].shape,
                                        {stride, padding, dilation}, groups, true, samples);
  auto const points =
      winograd && element == sizeof(float) ? winograd->scratch_elements(threads) : 0;
  return rules::times(std::max({large, packed, small, points}), element);
}

}  // namespace lbann::operators
