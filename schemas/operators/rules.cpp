// Shared parts of shape rules and costs.
#include "schemas/operators/rules.hpp"

#include <algorithm>
#include <limits>

#include "schemas/expression/registers.hpp"
#include "schemas/operators/list.hpp"
#include "schemas/operators/small_images.hpp"

namespace lbann::operators::rules {

bool sound(Shape const& shape) {
  if (shape.rank() > max_rank) return false;
  std::int64_t elements = 1;
  int batches = 0;
  for (auto extent : shape.extents) {
    if (extent.size < 0 || extent.size > max_extent) return false;
    if (__builtin_mul_overflow(elements, std::max<std::int64_t>(extent.size, 1), &elements))
      return false;
    batches += extent.batch ? 1 : 0;
  }
  return batches <= 1 && elements <= std::numeric_limits<std::int64_t>::max() / 16;
}

Problem problem(std::string_view op, std::string const& what) {
  return {std::string(op) + ": " + what};
}

std::optional<Problem> find_misfit(std::string_view op, std::span<TensorType const> inputs,
                                   std::size_t least, std::size_t most) {
  if (inputs.size() < least || inputs.size() > most)
    return problem(op, "takes " + std::to_string(least) + (most == least ? "" : " or more") +
                           " inputs, not " + std::to_string(inputs.size()));
  for (auto const& input : inputs)
    if (!sound(input.shape)) return problem(op, "no tensor has shape " + to_text(input.shape));
  return std::nullopt;
}

std::optional<Problem> find_misfit(std::string_view op, std::span<TensorType const> inputs,
                                   Expression const& expression, DataType compute,
                                   Shape const& shape) {
  if (auto misfit = find_misfit(op, inputs, 0, max_operands)) return misfit;
  if (auto fault = verify(expression, inputs.size())) return problem(op, *fault);
  if (expression.operand_count() != inputs.size())
    return problem(op, "has more inputs than its expression operands");
  if (compute != DataType::f32 && compute != DataType::f64)
    return problem(op, "computes in f32 or f64");
  if (!sound(shape)) return problem(op, "no tensor has shape " + to_text(shape));
  for (auto const& input : inputs)
    if (!broadcasts_to(input.shape, shape))
      return problem(op, to_text(input.shape) + " does not broadcast to " + to_text(shape));
  return std::nullopt;
}

std::optional<Shape> without_axes(Shape const& shape, std::span<std::int64_t const> axes) {
  Shape kept;
  std::size_t next = 0;
  for (std::size_t axis = 0; axis < shape.rank(); ++axis)
    if (next < axes.size() && axes[next] == static_cast<std::int64_t>(axis))
      ++next;
    else
      kept.extents.push_back(shape.extents[axis]);
  if (next != axes.size()) return std::nullopt;
  return kept;
}

Shape with_ones(Shape shape, std::span<std::int64_t const> axes) {
  for (auto const axis : axes) shape.extents[static_cast<std::size_t>(axis)] = {1, false};
  return shape;
}

std::optional<RowShapes> rows_from(Shape const& shape, std::int64_t axis) {
  if (axis < 0 || axis > static_cast<std::int64_t>(shape.rank())) return std::nullopt;
  auto const cut = shape.extents.begin() + static_cast<std::ptrdiff_t>(axis);
  RowShapes shapes;
  shapes.outer.extents.assign(shape.extents.begin(), cut);
  shapes.row.extents.assign(cut, shape.extents.end());
  if (shapes.row.has_batch()) return std::nullopt;
  return shapes;
}

bool has_axes(Shape const& shape, std::int64_t axis, std::int64_t inner) {
  auto const rank = static_cast<std::int64_t>(shape.rank());
  if (axis < 1 || axis > rank || inner < 0 || inner > rank - axis) return false;
  for (auto i = axis; i < rank - inner; ++i)
    if (shape.extents[static_cast<std::size_t>(i)].batch) return false;
  return true;
}

std::int64_t elements_around(Shape const& shape, std::int64_t axis, std::int64_t inner,
                             std::int64_t samples) {
  auto const begin = static_cast<std::size_t>(axis);
  std::int64_t count = 1;
  for (std::size_t i = 0; i < shape.rank(); ++i)
    if (i < begin || i + static_cast<std::size_t>(inner) >= shape.rank())
      count = times(count, shape.extents[i].at(samples));
  return count;
}

bool broadcasts_to(Shape const& from, Shape const& to) {
  if (from.rank() > to.rank()) return false;
  auto const skipped = to.rank() - from.rank();
  for (std::size_t i = 0; i < from.rank(); ++i)
    if (from.extents[i] != to.extents[skipped + i] && from.extents[i] != Extent{1, false})
      return false;
  return true;
}

std::optional<std::int64_t> window_positions(std::int64_t extent, std::int64_t taps,
                                             std::int64_t stride, std::int64_t padding,
                                             std::int64_t dilation) {
  if (taps < 1 || taps > max_step || stride < 1 || stride > max_step || padding < 0 ||
      padding > max_step || dilation < 1 || dilation > max_step || extent < 0)
    return std::nullopt;
  auto const room = extent + 2 * padding - dilation * (taps - 1) - 1;
  if (room < 0) return std::nullopt;
  return room / stride + 1;
}

Result<Shape> convolution_shape(std::string_view op, Shape const& x, Shape const& kernel,
                                Window window, std::int64_t groups) {
  if (x.rank() < 3 || x.rank() > 5 || kernel.rank() != x.rank())
    return problem(op, "takes one to three spatial axes, not tensors of shapes " + to_text(x) +
                           " and " + to_text(kernel));
  auto const axes = x.rank() - 2;
  if (window.stride.size() != axes || window.padding.size() != axes ||
      window.dilation.size() != axes)
    return problem(op, "needs a stride, a padding and a dilation for each spatial axis");
  auto const channels = x.extents[1];
  auto const filters = kernel.extents[0];
  if (kernel.has_batch() || channels.batch)
    return problem(op, "the mini-batch can only be the first axis of the data");
  if (groups < 1 || channels.size % groups != 0 || filters.size % groups != 0 ||
      kernel.extents[1].size != channels.size / groups)
    return problem(op, std::to_string(groups) + " groups of channels do not fit shapes " +
                           to_text(x) + " and " + to_text(kernel));
  Shape shape{x.extents[0], filters};
  for (std::size_t i = 0; i < axes; ++i) {
    auto const positions =
        window_positions(x.extents[2 + i].size, kernel.extents[2 + i].size, window.stride[i],
                         window.padding[i], window.dilation[i]);
    if (x.extents[2 + i].batch || !positions)
      return problem(op, "a window of " + to_text(kernel) + " does not fit into " + to_text(x));
    shape.extents.push_back({*positions, false});
  }
  if (!sound(shape)) return problem(op, "the result is too large");
  return shape;
}

Result<Shape> pooling_shape(std::string_view op, Shape const& x,
                            std::vector<std::int64_t> const& window,
                            std::vector<std::int64_t> const& stride,
                            std::vector<std::int64_t> const& padding) {
  if (x.rank() < 3 || x.rank() > 5)
    return problem(op, "takes one to three spatial axes, not shape " + to_text(x));
  auto const axes = x.rank() - 2;
  if (window.size() != axes || stride.size() != axes || padding.size() != axes)
    return problem(op, "needs a window, a stride and a padding for each spatial axis");
  if (x.extents[1].batch) return problem(op, "the mini-batch can only be the first axis");
  Shape shape{x.extents[0], x.extents[1]};
  for (std::size_t i = 0; i < axes; ++i) {
    auto const positions =
        window_positions(x.extents[2 + i].size, window[i], stride[i], padding[i], 1);
    if (x.extents[2 + i].batch || !positions)
      return problem(op, "the window does not fit into " + to_text(x));
    if (padding[i] >= window[i]) return problem(op, "a window would lie in the padding alone");
    shape.extents.push_back({*positions, false});
  }
  if (!sound(shape)) return problem(op, "the result is too large");
  return shape;
}

Result<TensorTypes> infer_epilogue(std::string_view op, Expression const& epilogue,
                                   std::vector<DataType> const& types, TensorType const& product,
                                   std::span<TensorType const> operands) {
  if (epilogue.empty()) {
    if (!operands.empty() || !types.empty())
      return problem(op, "operands and types of an epilogue, but none is there");
    return TensorTypes{product};
  }
  if (auto fault = verify(epilogue, operands.size() + 1)) return problem(op, *fault);
  if (types.size() != epilogue.outputs.size())
    return problem(op, "needs one type for each output of the epilogue");
  for (auto const& operand : operands)
    if (!broadcasts_to(operand.shape, product.shape))
      return problem(op, to_text(operand.shape) + " does not broadcast to the result's " +
                             to_text(product.shape));
  TensorTypes outputs;
  outputs.reserve(types.size());
  for (auto type : types) outputs.push_back({type, product.shape});
  return outputs;
}

std::int64_t functions_in(Expression const& expression) {
  return std::count_if(expression.nodes.begin(), expression.nodes.end(),
                       [](Node const& node) { return node.kind == Node::Kind::function; });
}

std::int64_t times(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<std::int64_t>::max()
                                                : product;
}

std::int64_t plus(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

std::int64_t bytes_of(TensorType const& type, std::int64_t samples) {
  return times(type.shape.elements(samples), static_cast<std::int64_t>(lbann::bytes_of(type.type)));
}

std::int64_t columns_of_images(Shape const& images, std::int64_t samples) {
  auto columns = images.extents[0].at(samples);
  for (std::size_t i = 2; i < images.rank(); ++i) columns = times(columns, images.extents[i].size);
  return columns;
}

std::int64_t taps_of(Shape const& kernel) {
  std::int64_t taps = 1;
  for (std::size_t i = 2; i < kernel.rank(); ++i) taps = times(taps, kernel.extents[i].size);
  return taps;
}

std::vector<std::int64_t> spatial_extents(Shape const& shape) {
  std::vector<std::int64_t> sizes;
  for (std::size_t i = 2; i < shape.rank(); ++i) sizes.push_back(shape.extents[i].size);
  return sizes;
}

std::int64_t taps_inside(Shape const& x, std::span<std::int64_t const> taps,
                         std::span<std::int64_t const> positions, Window window) {
  std::int64_t product = 1;
  for (std::size_t axis = 0; axis < taps.size(); ++axis) {
    auto const extent = x.extents[axis + 2].size, stride = window.stride[axis];
    std::int64_t inside = 0;
    for (std::int64_t tap = 0; tap < taps[axis]; ++tap) {
      // Position p reads entry p * stride - before.
      auto const before = window.padding[axis] - tap * window.dilation[axis];
      auto const first = before > 0 ? (before + stride - 1) / stride : 0;
      auto const end = extent + before <= 0 ? 0 : (extent + before - 1) / stride + 1;
      inside += std::max<std::int64_t>(0, std::min(end, positions[axis]) - first);
    }
    product = times(product, inside);
  }
  return product;
}

std::int64_t convolution_flops(Shape const& x, Shape const& kernel, Shape const& y, Window window,
                               std::int64_t samples) {
  auto const maps = times(y.extents[0].at(samples), y.extents[1].size);
  auto const depth = kernel.extents[1].size;
  return times(times(2, times(maps, depth)),
               taps_inside(x, spatial_extents(kernel), spatial_extents(y), window));
}

std::int64_t laid_out(std::int64_t channels, std::vector<WindowSteps> const& axes) {
  auto count = channels;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    auto const& axis = axes[i];
    auto const apart = times(axis.taps, axis.positions);
    auto const together = plus(axis.positions, times(axis.taps - 1, axis.dilation));
    count =
        times(count, i + 1 < axes.size() && axis.stride == 1 ? std::min(apart, together) : apart);
  }
  return plus(count, 80);
}

std::int64_t samples_innermost(Shape const& source, Shape const& result, Shape const& kernel,
                               Window window, std::int64_t groups, bool gradient,
                               std::int64_t samples, std::int64_t threads) {
  auto const batch = source.extents[0].at(samples);
  auto const entries_of = [](Shape const& shape) {
    std::int64_t entries = 1;
    for (std::size_t i = 2; i < shape.rank(); ++i) entries = times(entries, shape.extents[i].size);
    return entries;
  };
  auto const positions = entries_of(result);
  auto dense = times(entries_of(kernel), positions);
  if (gradient) {
    dense = entries_of(kernel);
    for (std::size_t i = 2; i < result.rank(); ++i)
      dense = times(dense, (result.extents[i].size - 1) / window.stride[i - 2] + 1);
  }
  auto const &x = gradient ? result : source, &y = gradient ? source : result;
  SmallImages const images{
      batch, result.extents[1].size / groups, std::max(entries_of(source), positions),
      taps_inside(x, spatial_extents(kernel), spatial_extents(y), window), dense};
  if (!images.suit_samples_innermost()) return 0;
  // Blocks of three registers, of 16 samples at most, the last one of each not full.
  auto const rounded = batch + batch / 3 + 16;
  // A task sums 16 rows, and 8 before them, at 16 positions.
  auto const down = images.rows / 16 + 1, chunks = positions / 16 + 1;
  auto const sums =
      (std::min<std::int64_t>(images.rows, 16) + 8) * std::min<std::int64_t>(positions, 16);
  auto const of_tasks = times(times(groups, times(down, chunks)), times(rounded, sums));
  return plus(times(source.elements(samples) / batch, rounded),
              std::min(times(threads, sums * 48), of_tasks));
}

std::int64_t im2col_blocks(Shape const& source, Shape const& kernel, Shape const& result,
                           std::int64_t groups, std::int64_t samples, std::int64_t threads) {
  auto const depth = source.extents[1].size / groups, rows = result.extents[1].size / groups;
  auto const taps = taps_of(kernel);
  if (std::min(rows, times(depth, taps)) < 32) return 0;
  // Eight tiles of 48 columns, 192 channels and taps or a channel more, and 256 rows of sums.
  auto columns = result.extents[0].at(samples);
  for (std::size_t i = 2; i < result.rank(); ++i) columns = times(columns, result.extents[i].size);
  auto const block = std::min<std::int64_t>(plus(columns, 64), 384);
  auto const deep = std::min(times(depth, taps), 192 + taps);
  auto const slot = block * (deep + std::min<std::int64_t>(rows, 256)) + 64;
  return plus(times(2, kernel.elements(1)), times(threads, slot));
}

TensorId reshaped(BackwardContext& context, TensorId tensor, Shape const& shape) {
  if (context.type_of(tensor).shape == shape) return tensor;
  return context.emit(reshape{shape}, {tensor})[0];
}

TensorId filled(BackwardContext& context, double value, TensorType const& type) {
  ExpressionBuilder builder;
  map fill;
  fill.expression = builder.finish({builder.constant(value)});
  fill.shape = type.shape;
  fill.compute = compute_type_of(type.type);
  fill.types = {type.type};
  return context.emit(std::move(fill), {})[0];
}

DataType compute_type(DataType a, DataType b) {
  return a == DataType::f64 || b == DataType::f64 ? DataType::f64 : DataType::f32;
}

}  // namespace lbann::operators::rules
