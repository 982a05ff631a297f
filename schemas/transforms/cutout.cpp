// Squares of 0 at random places.
#include "schemas/transforms/cutout.hpp"

#include <algorithm>

#include "schemas/transforms/images.hpp"

namespace lbann::transforms {

Result<SampleDims> cutout::dims_after(SampleDims const& dims) const { return image_dims(dims); }

void cutout::apply(SampleValues& sample, Draws& draws) const {
  auto const height = sample.height(), width = sample.width();
  for (std::int64_t hole = 0; hole < num_holes; ++hole) {
    auto const left = draws.below(width) - length / 2, top = draws.below(height) - length / 2;
    for (std::int64_t channel = 0; channel < sample.channels(); ++channel)
      for (auto row = std::max<std::int64_t>(top, 0); row < std::min(top + length, height); ++row)
        for (auto at = std::max<std::int64_t>(left, 0); at < std::min(left + length, width); ++at)
          sample.values[static_cast<std::size_t>((channel * height + row) * width + at)] = 0;
  }
}

}  // namespace lbann::transforms
