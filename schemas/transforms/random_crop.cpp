// A part at a random place.
#include "schemas/transforms/random_crop.hpp"

#include "schemas/transforms/images.hpp"

namespace lbann::transforms {

Result<SampleDims> random_crop::dims_after(SampleDims const& dims) const {
  return cropped_dims(dims, height, width);
}

void random_crop::apply(SampleValues& sample, Draws& draws) const {
  auto const top = draws.below(sample.height() - height + 1);
  auto const left = draws.below(sample.width() - width + 1);
  crop(sample, {top, left, height, width});
}

}  // namespace lbann::transforms
