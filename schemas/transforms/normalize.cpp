// Each channel minus its mean, by its deviation.
#include "schemas/transforms/normalize.hpp"

#include "schemas/transforms/images.hpp"

namespace lbann::transforms {

Result<SampleDims> normalize::dims_after(SampleDims const& dims) const {
  return channel_dims(dims, means.size(), stddevs.size());
}

void normalize::apply(SampleValues& sample, Draws& /*draws*/) const {
  normalize_channels(sample, means, stddevs);
}

}  // namespace lbann::transforms
