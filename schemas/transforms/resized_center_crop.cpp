// Another size, and the middle of it.
#include "schemas/transforms/resized_center_crop.hpp"

#include "schemas/transforms/images.hpp"

namespace lbann::transforms {

Result<SampleDims> resized_center_crop::dims_after(SampleDims const& dims) const {
  auto resized = resized_dims(dims, height, width);
  return resized ? cropped_dims(resized.value(), crop_height, crop_width) : resized;
}

void resized_center_crop::apply(SampleValues& sample, Draws& /*draws*/) const {
  lbann::resize(sample, {0, 0, sample.height(), sample.width()}, height, width);
  crop(sample, middle_of(sample, crop_height, crop_width));
}

}  // namespace lbann::transforms
