// Brightness, contrast and saturation at random, in random order.
#include "schemas/transforms/color_jitter.hpp"

#include <array>
#include <utility>

#include "schemas/transforms/adjust_brightness.hpp"
#include "schemas/transforms/adjust_contrast.hpp"
#include "schemas/transforms/adjust_saturation.hpp"
#include "schemas/transforms/images.hpp"

namespace lbann::transforms {

namespace {

/// LBANN's way to leave one out.
bool changes(double least, double most) { return least != 0 || most != 0; }

}  // namespace

Result<SampleDims> color_jitter::dims_after(SampleDims const& dims) const {
  if (min_brightness_factor > max_brightness_factor || min_contrast_factor > max_contrast_factor ||
      min_saturation_factor > max_saturation_factor)
    return Problem{"has a range whose least value is above the largest"};
  return color_dims(dims);
}

void color_jitter::apply(SampleValues& sample, Draws& draws) const {
  std::array<int, 3> order = {0, 1, 2};
  for (std::int64_t left = 3; left > 1; --left)
    std::swap(order[static_cast<std::size_t>(left - 1)],
              order[static_cast<std::size_t>(draws.below(left))]);
  for (auto const each : order) {
    if (each == 0 && changes(min_brightness_factor, max_brightness_factor))
      adjust_brightness{draws.uniform(min_brightness_factor, max_brightness_factor)}.apply(sample,
                                                                                           draws);
    if (each == 1 && changes(min_contrast_factor, max_contrast_factor))
      adjust_contrast{draws.uniform(min_contrast_factor, max_contrast_factor)}.apply(sample, draws);
    if (each == 2 && changes(min_saturation_factor, max_saturation_factor))
      adjust_saturation{draws.uniform(min_saturation_factor, max_saturation_factor)}.apply(sample,
                                                                                           draws);
  }
}

}  // namespace lbann::transforms
