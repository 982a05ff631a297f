// Three equal channels of one.
#include "schemas/transforms/colorize.hpp"

#include <algorithm>

#include "schemas/transforms/images.hpp"

namespace lbann::transforms {

Result<SampleDims> colorize::dims_after(SampleDims const& dims) const {
  auto image = color_dims(dims);
  if (image) image.value()[0] = 3;
  return image;
}

void colorize::apply(SampleValues& sample, Draws& /*draws*/) const {
  if (sample.channels() == 3) return;
  auto const pixels = sample.values.size();
  sample.dims[0] = 3;
  sample.values.resize(3 * pixels);
  for (auto const channel : {1, 2})
    std::copy_n(sample.values.begin(), pixels,
                sample.values.begin() + channel * static_cast<std::ptrdiff_t>(pixels));
}

}  // namespace lbann::transforms
