// Bytes by 255.
#include "schemas/transforms/to_lbann_layout.hpp"

#include "schemas/transforms/images.hpp"

namespace lbann::transforms {

Result<SampleDims> to_lbann_layout::dims_after(SampleDims const& dims) const {
  return image_dims(dims);
}

void to_lbann_layout::apply(SampleValues& sample, Draws& /*draws*/) const {
  for (auto& value : sample.values) value /= 255;
}

}  // namespace lbann::transforms
