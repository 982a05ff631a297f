// Left and right exchanged.
#include "schemas/transforms/horizontal_flip.hpp"

#include <algorithm>

#include "schemas/transforms/images.hpp"

namespace lbann::transforms {

Result<SampleDims> horizontal_flip::dims_after(SampleDims const& dims) const {
  return image_dims(dims);
}

void horizontal_flip::apply(SampleValues& sample, Draws& draws) const {
  if (!draws.happens(p)) return;
  auto const width = sample.width();
  for (auto row = sample.values.begin(); row != sample.values.end(); row += width)
    std::reverse(row, row + width);
}

}  // namespace lbann::transforms
