// Every number times a factor.
#include "schemas/transforms/scale.hpp"

namespace lbann::transforms {

Result<SampleDims> scale::dims_after(SampleDims const& dims) const { return dims; }

void scale::apply(SampleValues& sample, Draws& /*draws*/) const {
  for (auto& value : sample.values) value *= scale_;
}

}  // namespace lbann::transforms
