// Bytes by 255, then each channel normalized.
#include "schemas/transforms/normalize_to_lbann_layout.hpp"

#include "schemas/transforms/images.hpp"

namespace lbann::transforms {

Result<SampleDims> normalize_to_lbann_layout::dims_after(SampleDims const& dims) const {
  return channel_dims(dims, means.size(), stddevs.size());
}

void normalize_to_lbann_layout::apply(SampleValues& sample, Draws& /*draws*/) const {
  for (auto& value : sample.values) value /= 255;
  normalize_channels(sample, means, stddevs);
}

}  // namespace lbann::transforms
