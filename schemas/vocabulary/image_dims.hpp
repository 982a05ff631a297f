// Which tensors are images.
#pragma once

#include <cstdint>
#include <vector>

namespace lbann {

/// Most rows, and most columns, of an image that is shown.
inline constexpr std::int64_t most_image_rows = 4096;

/// [channels, height, width] of a sample of dims [height, width] or [channels, height, width], or
/// of as many pixels as a square has; empty if it is no image of 1 or 3 channels with more than one
/// pixel.
inline std::vector<std::int64_t> image_dims(std::vector<std::int64_t> dims) {
  if (dims.size() == 1) {
    std::int64_t side = 1;
    while (side < most_image_rows && side * side < dims[0]) ++side;
    if (side * side != dims[0]) return {};
    dims = {side, side};
  }
  if (dims.size() == 2) dims.insert(dims.begin(), 1);
  bool const image = dims.size() == 3 && (dims[0] == 1 || dims[0] == 3) &&
                     dims[1] <= most_image_rows && dims[2] <= most_image_rows &&
                     dims[1] * dims[2] > 1;
  return image ? dims : std::vector<std::int64_t>();
}

}  // namespace lbann
