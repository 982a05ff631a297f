// Entries named, repeated, told their place: what layers on indices and shapes share.
#include "compiler/layers/rearrangement.hpp"

#include <functional>
#include <numeric>

#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler::layers {

std::optional<std::size_t> axis_of(LayerContext const& context, std::int64_t axis,
                                   Dims const& input) {
  auto const rank = static_cast<std::int64_t>(input.size());
  if (axis >= -rank && axis < rank) return static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
  context.report(diagnostics::axis_out_of_range, "axis",
                 {std::to_string(axis), std::string(context.name), to_text(input)});
  return std::nullopt;
}

TensorId places(LoweringContext& lowering, std::int64_t extent, std::size_t ones) {
  auto const numbers = lowering.emit(operators::iota{extent, lowering.type()}, {})[0];
  Shape shape{{extent, false}};
  shape.extents.resize(1 + ones);
  return lowering.reshape(numbers, std::move(shape));
}

TensorId gathered(LoweringContext& lowering, TensorId values, TensorId indices, std::int64_t axis,
                  std::int64_t batch_axes) {
  return lowering.emit(operators::gather{axis, batch_axes}, {values, indices})[0];
}

TensorId repeated(LoweringContext& lowering, TensorId tensor, Dims const& dims, std::size_t axis,
                  std::int64_t run, std::int64_t times) {
  auto const split = dims.begin() + static_cast<std::ptrdiff_t>(axis);
  auto const outer = std::accumulate(dims.begin(), split, std::int64_t{1}, std::multiplies<>());
  auto const inner = std::accumulate(split + 1, dims.end(), std::int64_t{1}, std::multiplies<>());
  Shape const once{{outer * (*split / run), true}, {1}, {run * inner}};
  auto more = once;
  more.extents[1].size = times;
  auto const result =
      lowering.map(operand_itself(), {lowering.reshape(tensor, once)}, std::move(more));
  return lowering.reshape(result, Shape{{outer, true}, {*split * times}, {inner}});
}

Term root_of(Term square) {
  auto& build = *square.builder;
  auto const zero = build.constant(0);
  // The root of 1 is taken there, whose derivative is a number.
  auto const is_zero = build.apply(Function::equal, {square, zero});
  auto const safe = build.apply(Function::select, {is_zero, build.constant(1), square});
  return build.apply(Function::select, {is_zero, zero, build.apply(Function::sqrt, {safe})});
}

}  // namespace lbann::compiler::layers
