// Panels: parts of a mini-batch that a product with split weights takes one after the other.
#pragma once

#include <cstdint>

namespace lbann {

/// One of `count` panels of a mini-batch that is split over the mesh axes `split`: part `index` of
/// what each rank along `varying`, the last ones of these axes, has of it. What is gathered along
/// `varying` is gathered panel by panel, with every rank sending a share of each.
struct Panel {
  std::int64_t index = 0, count = 1;
  std::uint32_t split = 0, varying = 0;  ///< sets of axes, see MeshAxes
  friend bool operator==(Panel const&, Panel const&) = default;
};

}  // namespace lbann
