// Turned, sheared, scaled and moved at random.
#include "schemas/transforms/random_affine.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "schemas/transforms/images.hpp"

namespace lbann::transforms {

namespace {

/// Of the map from a place in the result (x, y) to one in the image: x' = m0 x + m1 y + m2,
/// y' = m3 x + m4 y + m5. The result is the image turned, sheared and scaled about its centre,
/// then moved.
std::array<double, 6> inverse_of(random_affine const& fields, SampleValues const& image,
                                 Draws& draws) {
  auto const radians = [&](double least, double most) {
    return least == 0 && most == 0 ? 0 : draws.uniform(least, most) * std::numbers::pi / 180;
  };
  auto const pixels = [&](double part, std::int64_t size) {
    auto const most = part * static_cast<double>(size);
    return part == 0 ? 0 : std::round(draws.uniform(-most, most));
  };
  double const angle = radians(fields.rotate_min, fields.rotate_max);
  double const move_x = pixels(fields.translate_w, image.width());
  double const move_y = pixels(fields.translate_h, image.height());
  double const scale = fields.scale_min == 0 && fields.scale_max == 0
                           ? 1
                           : draws.uniform(fields.scale_min, fields.scale_max);
  double const shear = radians(fields.shear_min, fields.shear_max);
  double const factor = 1 / (std::cos(shear) * scale);
  std::array<double, 6> map = {
      std::cos(angle + shear) * factor, std::sin(angle + shear) * factor, 0,
      -std::sin(angle) * factor,        std::cos(angle) * factor,         0};
  double const x = static_cast<double>(image.width() - 1) / 2;
  double const y = static_cast<double>(image.height() - 1) / 2;
  map[2] = x - map[0] * (x + move_x) - map[1] * (y + move_y);
  map[5] = y - map[3] * (x + move_x) - map[4] * (y + move_y);
  return map;
}

/// Bilinear; pixels beyond an edge are those of the edge.
double interpolated(double const* image, std::int64_t height, std::int64_t width, double x,
                    double y) {
  x = std::clamp(x, 0.0, static_cast<double>(width - 1));
  y = std::clamp(y, 0.0, static_cast<double>(height - 1));
  auto const left = static_cast<std::int64_t>(x), top = static_cast<std::int64_t>(y);
  auto const right = std::min(left + 1, width - 1), bottom = std::min(top + 1, height - 1);
  double const of_right = x - static_cast<double>(left), of_bottom = y - static_cast<double>(top);
  auto const mix = [&](double const* line) {
    return line[left] + of_right * (line[right] - line[left]);
  };
  double const above = mix(image + top * width);
  return above + of_bottom * (mix(image + bottom * width) - above);
}

}  // namespace

Result<SampleDims> random_affine::dims_after(SampleDims const& dims) const {
  if (rotate_min > rotate_max || scale_min > scale_max || shear_min > shear_max)
    return Problem{"has a range whose least value is above the largest"};
  if (scale_max > 0 && scale_min == 0)
    return Problem{"scales down to nothing; write `scale_min`, too"};
  if (shear_min <= -90 || shear_max >= 90)
    return Problem{"shears by 90 degrees or more, which leaves no area"};
  return image_dims(dims);
}

void random_affine::apply(SampleValues& sample, Draws& draws) const {
  auto const inverse = inverse_of(*this, sample, draws);
  auto const height = sample.height(), width = sample.width();
  sample.replace(sample.channels(), height, width);
  auto* to = sample.values.data();
  for (std::int64_t channel = 0; channel < sample.channels(); ++channel) {
    auto const* const from = sample.before.data() + channel * height * width;
    for (std::int64_t row = 0; row < height; ++row)
      for (std::int64_t column = 0; column < width; ++column) {
        auto const x = static_cast<double>(column), y = static_cast<double>(row);
        *to++ = interpolated(from, height, width, inverse[0] * x + inverse[1] * y + inverse[2],
                             inverse[3] * x + inverse[4] * y + inverse[5]);
      }
  }
}

}  // namespace lbann::transforms
