// Numbers of layers and optimizers that callbacks change during training.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lbann::callbacks {

/// A field of a layer, or of the optimizer of weights, that some callback changes: the program
/// keeps it as state, an f64 scalar, instead of a constant.
struct Hyperparameter {
  enum class Of : std::uint8_t { layer, weights };

  Of of = Of::layer;
  std::size_t owner = 0;   ///< index of the layer, or of the weights, in the model
  std::string_view field;  ///< name of the field
  double initial = 0;      ///< as it was declared

  /// Whether both are the same field of the same thing.
  bool names(Hyperparameter const& other) const {
    return of == other.of && owner == other.owner && field == other.field;
  }
};

}  // namespace lbann::callbacks
