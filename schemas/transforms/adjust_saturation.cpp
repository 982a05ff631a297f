// Mixed with the same image without colors.
#include "schemas/transforms/adjust_saturation.hpp"

#include "schemas/transforms/images.hpp"

namespace lbann::transforms {

Result<SampleDims> adjust_saturation::dims_after(SampleDims const& dims) const {
  return color_dims(dims);
}

void adjust_saturation::apply(SampleValues& sample, Draws& /*draws*/) const {
  if (sample.channels() == 1) return;
  mix(sample, factor, [&](std::int64_t pixel) { return gray_of(sample, pixel); });
}

}  // namespace lbann::transforms
