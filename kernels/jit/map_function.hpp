// A map compiled for its tensors.
#pragma once

#include <optional>

#include "kernels/jit/compiler.hpp"
#include "kernels/jit/map_arguments.hpp"
#include "kernels/map/map_code.hpp"

namespace lbann::kernels::jit {

class MapFunction {
 public:
  /// Nothing where there is no compiler, or for requests beyond `assemble`.
  static std::optional<MapFunction> bind(MapRequest const& request);

  /// Launches all elements.
  void run() const;

 private:
  std::shared_ptr<Function> function_;
  MapArguments arguments_;
  std::int64_t blocks_ = 0;
};

}  // namespace lbann::kernels::jit
