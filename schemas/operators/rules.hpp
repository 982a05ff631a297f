// What the rules of several operators share: checks, windows, epilogues, costs.
#pragma once

#include <optional>
#include <string>

#include "schemas/expression/builder.hpp"
#include "schemas/operators/backward.hpp"

namespace lbann::operators::rules {

/// Largest extent and rank of a tensor, and largest stride, margin and distance of a window.
inline constexpr std::int64_t max_extent = std::int64_t{1} << 40, max_step = 1 << 20;
inline constexpr std::size_t max_rank = 8;

/// Whether a shape is one a tensor can have: rank and extents within limits, the batch at most
/// once, elements (of one sample) countable.
bool sound(Shape const& shape);

/// What is wrong with the number of inputs or with one of them alone, or nothing.
std::optional<Problem> find_misfit(std::string_view op, std::span<TensorType const> inputs,
                                   std::size_t least, std::size_t most);

/// The same of an operator that computes `expression` of its inputs, broadcast to `shape`.
std::optional<Problem> find_misfit(std::string_view op, std::span<TensorType const> inputs,
                                   Expression const& expression, DataType compute,
                                   Shape const& shape);

/// "<op>: <what>".
Problem problem(std::string_view op, std::string const& what);

/// `shape` without `axes`, or nothing if these are not ascending axes of it.
std::optional<Shape> without_axes(Shape const& shape, std::span<std::int64_t const> axes);

/// `shape` with extents of 1 along `axes`.
Shape with_ones(Shape shape, std::span<std::int64_t const> axes);

/// A shape cut in two: rows, the axes from some axis on, and how many of them there are.
struct RowShapes {
  Shape outer, row;
};

/// The axes of `shape` before `axis` and from it on, which do not contain the batch; nothing if
/// there is no such cut.
std::optional<RowShapes> rows_from(Shape const& shape, std::int64_t axis);

/// Whether the axes from `axis`, which is not the first, to the last but `inner` are axes of
/// `shape`, which may be none, and do not contain the batch.
bool has_axes(Shape const& shape, std::int64_t axis, std::int64_t inner);

/// Elements of `shape` without the axes from `axis` to the last but `inner`.
std::int64_t elements_around(Shape const& shape, std::int64_t axis, std::int64_t inner,
                             std::int64_t samples);

/// Whether `from` can be stretched to `to` by the rule of broadcasting.
bool broadcasts_to(Shape const& from, Shape const& to);

/// Positions of a window of `taps` taps `dilation` apart, moved by `stride` over `extent` entries
/// with `padding` more on both sides; nothing if there is none.
std::optional<std::int64_t> window_positions(std::int64_t extent, std::int64_t taps,
                                             std::int64_t stride, std::int64_t padding,
                                             std::int64_t dilation);

/// Steps of a window, one per spatial axis.
struct Window {
  std::vector<std::int64_t> const& stride;
  std::vector<std::int64_t> const& padding;
  std::vector<std::int64_t> const& dilation;
};

/// Shape of a convolution's result for shapes [batch, c, spatial...] and [o, c / groups, k...].
Result<Shape> convolution_shape(std::string_view op, Shape const& x, Shape const& kernel,
                                Window window, std::int64_t groups);

/// Shape of pooling's result for x [batch, c, spatial...].
Result<Shape> pooling_shape(std::string_view op, Shape const& x,
                            std::vector<std::int64_t> const& window,
                            std::vector<std::int64_t> const& stride,
                            std::vector<std::int64_t> const& padding);

/// Outputs of an operator with result `product`, the operands of its epilogue beyond the first, and
/// the types of the epilogue's outputs.
Result<TensorTypes> infer_epilogue(std::string_view op, Expression const& epilogue,
                                   std::vector<DataType> const& types, TensorType const& product,
                                   std::span<TensorType const> operands);

/// Functions in an expression: operations per element.
///
/// What all operators' `flops` count is what their reference kernels do; a test runs these on
/// numbers that count. The convention:
/// - an addition, subtraction, multiplication, division or comparison counts one (a multiply-add
///   two), and so does one value of a scalar function (exp, log, max, each function node of an
///   expression), whatever it costs in instructions; a sum begins at zero;
/// - nothing counts that is a copy, a conversion, a choice by a comparison already made, arithmetic
///   of indices, random bits, or made of constants alone;
/// - taps of a window that fall into the padding are not computed;
/// - sums over ranks are made by the communication library and are told as messages.
std::int64_t functions_in(Expression const& expression);

/// Product, or the largest number if it does not fit; factors are not negative.
std::int64_t times(std::int64_t a, std::int64_t b);
/// The same for sums of numbers that are not negative.
std::int64_t plus(std::int64_t a, std::int64_t b);

/// Bytes of a tensor for `samples` samples.
std::int64_t bytes_of(TensorType const& type, std::int64_t samples);

/// Steps of a window along one axis with `taps` taps and `positions` positions.
struct WindowSteps {
  std::int64_t taps, positions, stride, dilation;
};

/// Taps of all positions of a window that fall on an entry of `x` [batch, c, spatial...] and not
/// into the padding, for one sample and channel; `taps` and `positions` are extents.
std::int64_t taps_inside(Shape const& x, std::span<std::int64_t const> taps,
                         std::span<std::int64_t const> positions, Window window);

/// Extents of a shape beyond its first two, without batch.
std::vector<std::int64_t> spatial_extents(Shape const& shape);

/// Operations of a convolution of these shapes, or of one of its gradients: two for each tap.
std::int64_t convolution_flops(Shape const& x, Shape const& kernel, Shape const& y, Window window,
                               std::int64_t samples);

/// Elements of the im2col buffer of one sample: along the last axis one copy for each tap of the
/// window; along the others too, unless the stride is 1, where the windows of all taps overlap in
/// one copy. Vector loads read up to 64 elements beyond the end.
std::int64_t laid_out(std::int64_t channels, std::vector<WindowSteps> const& axes);

/// Elements of scratch of a convolution from `source` to `result` [batch, c, spatial...] that packs
/// its kernel and blocks of an im2col matrix (kernels/host/convolution/im2col_correlation.hpp).
std::int64_t im2col_blocks(Shape const& source, Shape const& kernel, Shape const& result,
                           std::int64_t groups, std::int64_t samples, std::int64_t threads);

/// Elements of scratch of a convolution from `source` to `result` [batch, c, spatial...] that lays
/// out small images with the samples innermost (kernels/host/convolution/chwn_correlation.hpp):
/// the source in whole registers, and sums of each thread. 0 where `SmallImages` do not suit.
/// `gradient`: the source is the output of a convolution with this window, the result its input.
std::int64_t samples_innermost(Shape const& source, Shape const& result, Shape const& kernel,
                               Window window, std::int64_t groups, bool gradient,
                               std::int64_t samples, std::int64_t threads);

/// Emits a reshape of `tensor` to `shape`; returns `tensor` itself if it already has that shape.
TensorId reshaped(BackwardContext& context, TensorId tensor, Shape const& shape);

/// Emits a map that fills a tensor of `type` with `value`.
TensorId filled(BackwardContext& context, double value, TensorType const& type);

/// Samples times entries of an image of each: columns of a convolution as a product.
std::int64_t columns_of_images(Shape const& images, std::int64_t samples);
/// Taps of a kernel [o, c / groups, k...].
std::int64_t taps_of(Shape const& kernel);

/// Type an expression over these types is computed in: f64 if one of them is, else f32.
DataType compute_type(DataType a, DataType b);

/// The gradient of operand `index` of an expression, itself an expression.
struct OperandGradient {
  std::size_t index = 0;
  Expression expression;
};

/// Contributes gradients of operands of an expression over `shape`: each over `operands`, summed
/// over the axes along which its operand was broadcast. Those that are summed over the same axes
/// are taken in one pass.
void contribute_elementwise(BackwardContext& context, std::vector<OperandGradient> gradients,
                            std::vector<TensorId> const& operands, Shape const& shape,
                            DataType compute);

}  // namespace lbann::operators::rules
