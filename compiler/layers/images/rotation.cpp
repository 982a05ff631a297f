// The layer `rotation`: the image at turned points.
#include "compiler/layers/images/rotation.hpp"

#include "compiler/layers/images/image_points.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> rotation::output_dims(LayerContext const& context) const {
  if (!takes_image_and(context, {{1}})) return std::nullopt;
  return std::vector<Dims>{context.inputs[0]};
}

void rotation::lower(LoweringContext& lowering) const {
  lowering.output(0, image_at(lowering, turned(lowering)));
}

}  // namespace lbann::compiler::layers
