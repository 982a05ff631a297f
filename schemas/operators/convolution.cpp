// Rules of convolution.
#include "schemas/operators/convolution.hpp"

#include <algorithm>

#include "schemas/operators/formulas.hpp"
#include "schemas/operators/list.hpp"
#include "schemas/operators/loops.hpp"
#include "schemas/operators/rules.hpp"
#include "schemas/operators/sixteen_bit_tiling.hpp"
#include "schemas/operators/widened_factors.hpp"
#include "schemas/operators/winograd_shapes.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<convolution>) {
  return "x [batch, c, n...], K [o, c / groups, k...], further operands of the epilogue -> y "
         "[batch, o, m...]\n"
         "m = floor((n + 2 padding - dilation (k - 1) - 1) / stride) + 1\n"
         "y[s, o, p] = epilogue(sum over c, k: K[o, c, k] x[s, c, stride p + dilation k - "
         "padding], ...)";
}

Result<TensorTypes> convolution::infer(std::span<TensorType const> inputs) const {
  if (auto misfit = rules::find_misfit(name, inputs, 2, max_operands + 1)) return *misfit;
  auto const &x = inputs[0], &kernel = inputs[1];
  if (x.type != kernel.type || !is_floating(x.type))
    return rules::problem(name, "data and kernel are not of one floating-point type");
  auto const shape =
      rules::convolution_shape(name, x.shape, kernel.shape, {stride, padding, dilation}, groups);
  if (!shape) return shape.problem();
  return rules::infer_epilogue(name, epilogue, types, {compute_type_of(x.type), shape.value()},
                               inputs.subspan(2));
}

Loops convolution::loops(Signature const& signature) const {
  using rules::input, rules::output, rules::windowed;
  auto const& y = signature.outputs[0].shape;
  rules::LoopsBuilder loops(signature);
  loops.add(LoopKind::parallel, {input(0, 0), output(0, 0)});  // samples
  if (groups > 1)
    loops.add(LoopKind::parallel, {groups}, {input(0, 1), input(1, 0), output(0, 1)});
  else
    loops.add(LoopKind::parallel, {input(1, 0), output(0, 1)});  // filters
  for (std::size_t i = 2; i < y.rank(); ++i)
    loops.add(LoopKind::parallel, {output(0, i), windowed(input(0, i))});
  if (groups == 1) loops.add(LoopKind::summed, {input(0, 1), input(1, 1)});  // channels
  loops.broadcast(2, y);
  loops.fill(y);
  return std::move(loops).finish();
}

void convolution::backward(convolution const& op, BackwardContext& context) {
  // Epilogues come to be only after gradients have been derived.
  if (!context.output_gradient(0).valid() || !op.epilogue.empty()) return;
  auto const x = context.input(0), kernel = context.input(1);
  auto const gradient = context.in_type(context.output_gradient(0), context.type_of(x).type);
  auto const spatial = [&](TensorId tensor) {
    std::vector<std::int64_t> extents;
    auto const& shape = context.type_of(tensor).shape;
    for (std::size_t i = 2; i < shape.rank(); ++i) extents.push_back(shape.extents[i].size);
    return extents;
  };
  if (context.wants(0))
    context.contribute(
        0, context.emit(convolution_input_gradient{op, spatial(x)}, {gradient, kernel})[0]);
  if (context.wants(1))
    context.contribute(
        1, context.emit(convolution_kernel_gradient{op, spatial(kernel)}, {x, gradient})[0]);
}

std::int64_t convolution::flops(Signature const& signature, std::int64_t samples) const {
  auto const& y = signature.outputs[0].shape;
  return rules::convolution_flops(signature.inputs[0].shape, signature.inputs[1].shape, y,
                                  {stride, padding, dilation}, samples) +
         rules::times(y.elements(samples), rules::functions_in(epilogue));
}

std::int64_t convolution::scratch_bytes(Signature const& signature, std::int64_t samples,
                                        std::int64_t threads) const {
  // The kernel in the order of register tiles; for each thread a sample of a group
  // laid out, and one of the result before its epilogue; parts of samples, one more in all, where
  // each channel has one filter of its own. Of small images all samples. On a device the whole
  // result.
  auto const& kernel = signature.inputs[1].shape;
  auto const& y = signature.outputs[0].shape;
  ConvolutionShapes const shapes{
      signature.inputs[0].shape, kernel, y, {stride, padding, dilation}, groups};
  if (widens_factors(signature.inputs[0].type, shapes, ConvolutionPart::output))
    return widened_scratch_bytes(*this, signature, samples, threads);
  if (is_sixteen_bit(signature.inputs[0].type)) {
    auto const filters = kernel.extents[0].size;
    auto const host = sixteen_bit_convolution_bytes(
        groups, filters / groups, sixteen_bit_inner(kernel.extents[1].size, rules::taps_of(kernel)),
        rules::columns_of_images(y, samples), threads);
    return transformed_scratch_bytes(
        *this, signature, shapes, ConvolutionPart::output,
        std::max(host, epilogue.empty() ? 0 : rules::times(y.elements(samples), 4)), samples,
        threads);
  }
  auto const element =
      static_cast<std::int64_t>(lbann::bytes_of(compute_type_of(signature.inputs[0].type)));
  std::vector<rules::WindowSteps> axes;
  for (std::size_t i = 2; i < y.rank(); ++i)
    axes.push_back({kernel.extents[i].size, y.extents[i].size, stride[i - 2], dilation[i - 2]});
  auto const batch = y.extents[0].at(samples);
  auto const sample = batch == 0 ? 0 : y.elements(samples) / batch;
  auto const slot =
      rules::laid_out(kernel.extents[1].size, axes) + (epilogue.empty() ? 0 : sample + 16);
  bool const single = kernel.extents[1].size == 1 &&
                      signature.inputs[0].shape.extents[1] == y.extents[1] && !epilogue.empty();
  auto const host = rules::times(std::min(batch, threads), slot) +
                    rules::times(2, kernel.elements(1)) + 64 + (single ? sample : 0);
  auto const packed =
      rules::im2col_blocks(signature.inputs[0].shape, kernel, y, groups, samples, threads);
  auto const whole = epilogue.empty() ? 0 : rules::times(batch, sample);
  auto const small = rules::plus(
      rules::samples_innermost(signature.inputs[0].shape, y, kernel, {stride, padding, dilation},
                               groups, false, samples, threads),
      whole + 16);
  auto const winograd = winograd_shapes(signature.inputs[0].shape, kernel, y,
                                        {stride, padding, dilation}, groups, false, samples);
  auto const points =
      winograd && element == sizeof(float) ? winograd->scratch_elements(threads) : 0;
  return rules::times(std::max({host, packed, small, points}), element);
}

}  // namespace lbann::operators
