// The middle of an image.
#include "schemas/transforms/center_crop.hpp"

#include "schemas/transforms/images.hpp"

namespace lbann::transforms {

Result<SampleDims> center_crop::dims_after(SampleDims const& dims) const {
  return cropped_dims(dims, height, width);
}

void center_crop::apply(SampleValues& sample, Draws& /*draws*/) const {
  crop(sample, middle_of(sample, height, width));
}

}  // namespace lbann::transforms
