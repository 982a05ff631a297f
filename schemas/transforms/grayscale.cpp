// One channel of three, by their brightness.
#include "schemas/transforms/grayscale.hpp"

#include "schemas/transforms/images.hpp"

namespace lbann::transforms {

Result<SampleDims> grayscale::dims_after(SampleDims const& dims) const {
  auto image = color_dims(dims);
  if (image) image.value()[0] = 1;
  return image;
}

void grayscale::apply(SampleValues& sample, Draws& /*draws*/) const {
  if (sample.channels() == 1) return;
  auto const pixels = sample.height() * sample.width();
  // A pixel is written after it was read for the last time.
  for (std::int64_t pixel = 0; pixel < pixels; ++pixel)
    sample.values[static_cast<std::size_t>(pixel)] = gray_of(sample, pixel);
  sample.dims[0] = 1;
  sample.values.resize(static_cast<std::size_t>(pixels));
}

}  // namespace lbann::transforms
