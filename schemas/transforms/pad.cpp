// A margin of 0.
#include "schemas/transforms/pad.hpp"

#include <algorithm>

#include "schemas/transforms/images.hpp"

namespace lbann::transforms {

Result<SampleDims> pad::dims_after(SampleDims const& dims) const {
  auto image = image_dims(dims);
  if (!image) return image;
  for (std::size_t axis = 1; axis < 3; ++axis)
    if (image.value()[axis] > 0 &&
        __builtin_add_overflow(image.value()[axis], 2 * pad_, &image.value()[axis]))
      return Problem{"makes images that are too large"};
  return enlarged_dims(image.value());
}

void pad::apply(SampleValues& sample, Draws& /*draws*/) const {
  auto const height = sample.height(), width = sample.width();
  sample.replace(sample.channels(), height + 2 * pad_, width + 2 * pad_);
  std::ranges::fill(sample.values, 0.0);
  for (std::int64_t channel = 0; channel < sample.channels(); ++channel)
    for (std::int64_t row = 0; row < height; ++row)
      std::copy_n(
          sample.before.begin() + (channel * height + row) * width, width,
          sample.values.begin() + (channel * sample.height() + row + pad_) * sample.width() + pad_);
}

}  // namespace lbann::transforms
