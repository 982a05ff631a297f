// Mixed with the mean brightness of the image.
#include "schemas/transforms/adjust_contrast.hpp"

#include "schemas/transforms/images.hpp"

namespace lbann::transforms {

Result<SampleDims> adjust_contrast::dims_after(SampleDims const& dims) const {
  return color_dims(dims);
}

void adjust_contrast::apply(SampleValues& sample, Draws& /*draws*/) const {
  auto const pixels = sample.height() * sample.width();
  double sum = 0;
  for (std::int64_t pixel = 0; pixel < pixels; ++pixel) sum += gray_of(sample, pixel);
  double const mean = sum / static_cast<double>(pixels);
  mix(sample, factor, [mean](std::int64_t) { return mean; });
}

}  // namespace lbann::transforms
