// A layer that is one map, compiled and run by every kernel of map.
#pragma once

#include <string_view>

#include "tests/support/kernel_case.hpp"

namespace lbann::testing {

/// A layer on inputs of equal dims.
class MapLayer {
 public:
  /// Of `declaration`, e.g. `scale {constant: 2}`; a failed check if it is not one map.
  MapLayer(std::string_view declaration, std::size_t inputs, std::vector<std::int64_t> const& dims,
           DataType type);

  /// Its output. All kernels of map agree on it.
  Values output(std::vector<Values> const& inputs, std::int64_t samples) const;

  /// The gradient of input `index` for the gradient `dy` of the output; empty where none passes.
  /// All kernels of map agree on it.
  Values gradient(std::size_t index, std::vector<Values> const& inputs, Values const& dy,
                  std::int64_t samples) const;

 private:
  Values run(operators::map const& map, std::vector<Values> const& operands,
             std::int64_t samples) const;

  operators::map map_;
  std::vector<std::size_t> read_;  ///< the inputs that the map reads, in its order
};

}  // namespace lbann::testing
