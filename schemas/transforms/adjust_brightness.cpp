// Every pixel times a factor.
#include "schemas/transforms/adjust_brightness.hpp"

#include "schemas/transforms/images.hpp"

namespace lbann::transforms {

Result<SampleDims> adjust_brightness::dims_after(SampleDims const& dims) const {
  return color_dims(dims);
}

void adjust_brightness::apply(SampleValues& sample, Draws& /*draws*/) const {
  mix(sample, factor, [](std::int64_t) { return 0.0; });
}

}  // namespace lbann::transforms
