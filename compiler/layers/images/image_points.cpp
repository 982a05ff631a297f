// Images at points between their pixels: what rotation and composite_image_transformation share.
#include "compiler/layers/images/image_points.hpp"

#include <numbers>

#include "compiler/layers/rearrangement.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler::layers {

namespace {

/// Whether a point has all four neighbours in an image of h rows and w columns, as 1 or 0.
Term has_neighbours(Term row, Term column, Dims const& image) {
  auto& build = *row.builder;
  auto const within = [&](Term x, std::int64_t extent) {
    return build.apply(
        Function::logical_and,
        {build.apply(Function::less_equal, {build.constant(0), x}),
         build.apply(Function::less, {x, build.constant(static_cast<double>(extent - 1))})});
  };
  return build.apply(Function::logical_and, {within(row, image[1]), within(column, image[2])});
}

/// Index in a plane of the pixel `down` and `right` of the one a point lies in, -1 outside.
TensorId neighbour(LoweringContext& lowering, ImagePoints const& points, int down, int right) {
  auto const& image = lowering.input_dims(0);
  ExpressionBuilder build;
  auto const row = build.operand(0), column = build.operand(1);
  auto const floor = [&](Term x) { return build.apply(Function::floor, {x}); };
  auto const index = (floor(row) + down) * static_cast<double>(image[2]) + floor(column) + right;
  operators::map map;
  map.expression = build.finish({build.apply(
      Function::select, {has_neighbours(row, column, image), index, build.constant(-1)})});
  map.shape = batched(Dims{image[1], image[2]});
  // In f64 and whole numbers: a plane may have more pixels than f32 can count.
  map.compute = DataType::f64;
  map.types = {DataType::i64};
  auto const indices = lowering.emit(std::move(map), {points.rows, points.columns})[0];
  return lowering.reshape(indices, batched(Dims{image[1] * image[2]}));
}

}  // namespace

bool takes_image_and(LayerContext const& context, std::vector<Dims> const& others) {
  if (context.inputs[0].size() != 3) {
    context.report(diagnostics::input_axes, "",
                   {"0", std::string(context.name), "3", to_text(context.inputs[0])});
    return false;
  }
  for (std::size_t i = 0; i < others.size(); ++i)
    if (context.inputs[i + 1] != others[i]) {
      context.report(diagnostics::input_dims, "",
                     {std::to_string(i + 1), std::string(context.name), to_text(others[i]),
                      to_text(context.inputs[i + 1])});
      return false;
    }
  return true;
}

ImagePoints turned(LoweringContext& lowering) {
  auto const& image = lowering.input_dims(0);
  auto const angle = lowering.reshape(lowering.input(1), batched(Dims{1, 1}));
  auto const of_angle = [&](Function function) {
    ExpressionBuilder build;
    auto const radians = build.operand(0) * (std::numbers::pi / 180);
    return lowering.map(build.finish({build.apply(function, {radians})}), {angle});
  };
  std::vector<TensorId> const inputs{places(lowering, image[1], 1), places(lowering, image[2]),
                                     of_angle(Function::sin), of_angle(Function::cos)};
  auto const middle_row = static_cast<double>(image[1] / 2);
  auto const middle_column = static_cast<double>(image[2] / 2);
  auto const coordinate = [&](bool column) {
    ExpressionBuilder build;
    auto const down = build.operand(0) - middle_row, right = build.operand(1) - middle_column;
    auto const sine = build.operand(2), cosine = build.operand(3);
    return lowering.map(build.finish({column ? down * sine + right * cosine + middle_column
                                             : down * cosine - right * sine + middle_row}),
                        inputs);
  };
  return {coordinate(false), coordinate(true)};
}

TensorId image_at(LoweringContext& lowering, ImagePoints const& points) {
  auto const& image = lowering.input_dims(0);
  auto const size = image[1] * image[2];
  auto const planes = lowering.reshape(lowering.input(0), batched(Dims{image[0], size}));
  std::vector<TensorId> inputs;
  for (int down : {0, 1})
    for (int right : {0, 1})
      inputs.push_back(gathered(lowering, planes, neighbour(lowering, points, down, right), 2, 1));
  inputs.push_back(lowering.reshape(points.rows, batched(Dims{1, size})));
  inputs.push_back(lowering.reshape(points.columns, batched(Dims{1, size})));

  ExpressionBuilder build;
  auto const row = build.operand(4), column = build.operand(5);
  auto const below = row - build.apply(Function::floor, {row});
  auto const beyond = column - build.apply(Function::floor, {column});
  auto const mean = build.operand(0) * (1.0 - beyond) * (1.0 - below) +
                    build.operand(1) * beyond * (1.0 - below) +
                    build.operand(2) * (1.0 - beyond) * below + build.operand(3) * beyond * below;
  // Also where a coordinate is no number.
  auto const value =
      build.apply(Function::select, {has_neighbours(row, column, image), mean, build.constant(0)});
  return lowering.map(build.finish({value}), std::move(inputs));
}

}  // namespace lbann::compiler::layers
