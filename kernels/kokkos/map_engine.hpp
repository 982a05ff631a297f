// Runs expressions over tensors by launches: for map and for epilogues of whole products.
#pragma once

#include <optional>

#include "kernels/jit/map_function.hpp"
#include "kernels/map/map_code.hpp"

namespace lbann::kernels::kokkos {

/// A map bound to its tensors.
class MapEngine {
 public:
  /// Nothing if the request is beyond the engine, see `assemble`.
  static std::optional<MapEngine> bind(MapRequest const& request);

  /// Launches all elements.
  void run_parallel() const;

 private:
  explicit MapEngine(MapCode const& code);

  std::optional<jit::MapFunction> compiled_;  ///< in place of all that follows
  MapCode code_;
  void (*launch_)(MapCode const&) = nullptr;  ///< by type and ahead-of-time kernel
};

}  // namespace lbann::kernels::kokkos
