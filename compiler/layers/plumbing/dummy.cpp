// The layer `dummy`: takes an output nobody else takes.
#include "compiler/layers/plumbing/dummy.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> dummy::output_dims(LayerContext const&) const {
  return std::vector<Dims>{};
}

void dummy::lower(LoweringContext&) const {}

}  // namespace lbann::compiler::layers
