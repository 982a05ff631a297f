// The layer `input`: a data field of the reader.
#include "compiler/layers/plumbing/input.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> input::output_dims(LayerContext const& context) const {
  if (!context.given_dims) return std::nullopt;  // `infer_shapes` has said why
  return std::vector<Dims>{*context.given_dims};
}

void input::lower(LoweringContext& lowering) const {
  lowering.output(0, lowering.field_input(data_field));
}

}  // namespace lbann::compiler::layers
