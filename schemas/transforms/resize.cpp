// Another size.
#include "schemas/transforms/resize.hpp"

#include "schemas/transforms/images.hpp"

namespace lbann::transforms {

Result<SampleDims> resize::dims_after(SampleDims const& dims) const {
  return resized_dims(dims, height, width);
}

void resize::apply(SampleValues& sample, Draws& /*draws*/) const {
  lbann::resize(sample, {0, 0, sample.height(), sample.width()}, height, width);
}

}  // namespace lbann::transforms
