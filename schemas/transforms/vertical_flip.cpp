// Top and bottom exchanged.
#include "schemas/transforms/vertical_flip.hpp"

#include <algorithm>

#include "schemas/transforms/images.hpp"

namespace lbann::transforms {

Result<SampleDims> vertical_flip::dims_after(SampleDims const& dims) const {
  return image_dims(dims);
}

void vertical_flip::apply(SampleValues& sample, Draws& draws) const {
  if (!draws.happens(p)) return;
  auto const height = sample.height(), width = sample.width();
  for (std::int64_t channel = 0; channel < sample.channels(); ++channel) {
    auto const first = sample.values.begin() + channel * height * width;
    for (std::int64_t row = 0; row < height / 2; ++row)
      std::swap_ranges(first + row * width, first + (row + 1) * width,
                       first + (height - 1 - row) * width);
  }
}

}  // namespace lbann::transforms
