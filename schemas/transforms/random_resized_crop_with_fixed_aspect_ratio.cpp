// Another size, and a random part of it.
#include "schemas/transforms/random_resized_crop_with_fixed_aspect_ratio.hpp"

#include "schemas/transforms/images.hpp"

namespace lbann::transforms {

Result<SampleDims> random_resized_crop_with_fixed_aspect_ratio::dims_after(
    SampleDims const& dims) const {
  auto resized = resized_dims(dims, height, width);
  return resized ? cropped_dims(resized.value(), crop_height, crop_width) : resized;
}

void random_resized_crop_with_fixed_aspect_ratio::apply(SampleValues& sample, Draws& draws) const {
  lbann::resize(sample, {0, 0, sample.height(), sample.width()}, height, width);
  auto const top = draws.below(height - crop_height + 1);
  auto const left = draws.below(width - crop_width + 1);
  crop(sample, {top, left, crop_height, crop_width});
}

}  // namespace lbann::transforms
