// A part of random size, shape and place, resized.
#include "schemas/transforms/random_resized_crop.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "schemas/transforms/images.hpp"

namespace lbann::transforms {

namespace {

/// Ten attempts, then the largest square in the middle.
ImagePart part_of(random_resized_crop const& fields, SampleValues const& image, Draws& draws) {
  auto const area = static_cast<double>(image.height() * image.width());
  for (int attempt = 0; attempt < 10; ++attempt) {
    double const part = area * draws.uniform(fields.scale_min, fields.scale_max);
    double const ratio = draws.uniform(fields.ar_min, fields.ar_max);
    auto width = static_cast<std::int64_t>(std::sqrt(part * ratio));
    auto height = static_cast<std::int64_t>(std::sqrt(part / ratio));
    if (draws.happens(0.5)) std::swap(width, height);
    if (width < 1 || height < 1 || width > image.width() || height > image.height()) continue;
    auto const left = draws.below(image.width() - width + 1);
    auto const top = draws.below(image.height() - height + 1);
    return {top, left, height, width};
  }
  auto const side = std::min(image.height(), image.width());
  return {(image.height() - side) / 2, (image.width() - side) / 2, side, side};
}

}  // namespace

Result<SampleDims> random_resized_crop::dims_after(SampleDims const& dims) const {
  if (scale_min > scale_max || ar_min > ar_max)
    return Problem{"has a range whose least value is above the largest"};
  return resized_dims(dims, height, width);
}

void random_resized_crop::apply(SampleValues& sample, Draws& draws) const {
  lbann::resize(sample, part_of(*this, sample, draws), height, width);
}

}  // namespace lbann::transforms
