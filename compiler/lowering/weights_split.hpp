// How weights that ranks hold parts of are marked before the passes on distributions.
#pragma once

#include <string>
#include <vector>

#include "schemas/program/distribution.hpp"

namespace lbann::compiler {

/// That of a model-parallel layer's weights: every dimension over rows and columns, until
/// `orient_weights` decides.
inline std::vector<std::vector<std::string>> undecided_split(std::size_t rank) {
  return {rank, {std::string(MeshAxes::rows), std::string(MeshAxes::columns)}};
}

/// Whether these are weights of a model-parallel layer, of which is not decided how they lie.
inline bool is_undecided(Tensor const& tensor) {
  auto const& split = tensor.distribution.split;
  return tensor.role == TensorRole::weights && !split.empty() &&
         split == undecided_split(split.size());
}

}  // namespace lbann::compiler
