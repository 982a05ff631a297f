// The layer `slice`: one operator.
#include "compiler/layers/shapes/slice.hpp"

#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> slice::output_dims(LayerContext const& context) const {
  auto const& input = context.inputs[0];
  auto const rank = static_cast<std::int64_t>(input.size());
  if (axis < -rank || axis >= rank) {
    context.report(diagnostics::axis_out_of_range, "axis",
                   {std::to_string(axis), std::string(context.name), to_text(input)});
    return std::nullopt;
  }
  auto const along = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
  for (std::size_t i = 0; i < slice_points.size(); ++i)
    if (slice_points[i] > input[along] || (i > 0 && slice_points[i] <= slice_points[i - 1])) {
      context.report(
          diagnostics::slice_point, "slice_points",
          {std::to_string(slice_points[i]), std::string(context.name),
           slice_points[i] > input[along] ? "lies beyond the " + std::to_string(input[along]) +
                                                " entries of axis " + std::to_string(along)
                                          : "is not larger than the one before it"});
      return std::nullopt;
    }
  if (slice_points.size() < context.children + 1) {
    context.report(diagnostics::too_few_pieces, "slice_points",
                   {std::string(context.name), std::to_string(slice_points.size()),
                    context.children == 1 ? std::string("one piece")
                                          : std::to_string(context.children) + " pieces"});
    return std::nullopt;
  }
  std::vector<Dims> pieces(context.children, input);
  for (std::size_t i = 0; i < pieces.size(); ++i)
    pieces[i][along] = slice_points[i + 1] - slice_points[i];
  return pieces;
}

void slice::lower(LoweringContext& lowering) const {
  auto const rank = static_cast<std::int64_t>(lowering.input_dims(0).size());
  operators::slice op;
  op.axis = 1 + (axis < 0 ? axis + rank : axis);
  auto const end = slice_points.begin() + static_cast<std::ptrdiff_t>(lowering.output_count()) + 1;
  op.points.assign(slice_points.begin(), end);
  auto const pieces = lowering.emit(std::move(op), {lowering.input(0)});
  for (std::size_t i = 0; i < pieces.size(); ++i) lowering.output(i, pieces[i]);
}

}  // namespace lbann::compiler::layers
