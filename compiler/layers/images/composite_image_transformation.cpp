// The layer `composite_image_transformation`: the image at points turned, sheared and moved.
#include "compiler/layers/images/composite_image_transformation.hpp"

#include "compiler/layers/images/image_points.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> composite_image_transformation::output_dims(
    LayerContext const& context) const {
  if (!takes_image_and(context, {{1}, {2}, {2}})) return std::nullopt;
  return std::vector<Dims>{context.inputs[0]};
}

void composite_image_transformation::lower(LoweringContext& lowering) const {
  auto const points = turned(lowering);
  auto const pair = [&](std::size_t input) {
    return lowering.emit(operators::slice{1, {0, 1, 2}},
                         {lowering.reshape(lowering.input(input), batched(Dims{2, 1, 1}))});
  };
  auto const shear = pair(2), translation = pair(3);
  // along + shear * across + translation
  auto const moved = [&](TensorId along, TensorId across, std::size_t which) {
    auto const each = [&](TensorId number) {
      return lowering.reshape(number, batched(Dims{1, 1}));
    };
    ExpressionBuilder build;
    return lowering.map(
        build.finish({build.operand(0) + build.operand(2) * build.operand(1) + build.operand(3)}),
        {along, across, each(shear[which]), each(translation[which])});
  };
  lowering.output(0, image_at(lowering, {moved(points.rows, points.columns, 1),
                                         moved(points.columns, points.rows, 0)}));
}

}  // namespace lbann::compiler::layers
