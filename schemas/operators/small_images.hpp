// Which convolutions CPU kernels compute with the samples of small images innermost.
#pragma once

#include <cstdint>

namespace lbann {

/// A convolution of small images, or its input gradient: `rows` channels of the result in a group,
/// `entries` of the larger of the two images, (position, tap) pairs `inside` the image of all that
/// a computation without regard to padding would go through, `dense`.
struct SmallImages {
  std::int64_t samples, rows, entries, inside, dense;

  /// Fewer samples do not fill registers, fewer rows no tiles.
  static constexpr std::int64_t least_samples = 8, least_rows = 4, rows_of_tile = 8;

  /// Whether images are so small that their positions do not fill registers, or small enough to be
  /// laid out again where a quarter or more of what windows see is padding.
  bool suit_samples_innermost() const {
    if (samples < least_samples || rows < least_rows) return false;
    if (entries <= 64 && rows >= rows_of_tile) return true;
    return entries <= 256 && inside <= dense / 4 * 3;
  }
};

}  // namespace lbann
