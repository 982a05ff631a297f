// Transform `color_jitter`.
#pragma once

#include <string_view>
#include <tuple>

#include "schemas/transforms/sample_values.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::transforms {

struct color_jitter {
  static constexpr std::string_view name = "color_jitter";
  static constexpr std::string_view summary =
      "Changes brightness, contrast and saturation at random.";
  /// Whether it takes values to be bytes, 0 to 255.
  static constexpr bool takes_bytes = true;
  static constexpr bool is_random = true;

  double min_brightness_factor = 0;
  double max_brightness_factor = 0;
  double min_contrast_factor = 0;
  double max_contrast_factor = 0;
  double min_saturation_factor = 0;
  double max_saturation_factor = 0;

  static constexpr auto fields() {
    return std::tuple{
        field("min_brightness_factor", &color_jitter::min_brightness_factor,
              "Least factor of the brightness; 0 for both: unchanged.", at_least_zero),
        field("max_brightness_factor", &color_jitter::max_brightness_factor,
              "Largest factor of the brightness; 0 for both: unchanged.", at_least_zero),
        field("min_contrast_factor", &color_jitter::min_contrast_factor,
              "Least factor of the contrast; 0 for both: unchanged.", at_least_zero),
        field("max_contrast_factor", &color_jitter::max_contrast_factor,
              "Largest factor of the contrast; 0 for both: unchanged.", at_least_zero),
        field("min_saturation_factor", &color_jitter::min_saturation_factor,
              "Least factor of the saturation; 0 for both: unchanged.", at_least_zero),
        field("max_saturation_factor", &color_jitter::max_saturation_factor,
              "Largest factor of the saturation; 0 for both: unchanged.", at_least_zero)};
  }

  /// Dims of what it makes of a sample of `dims`; the problem says what it is not made for.
  Result<SampleDims> dims_after(SampleDims const& dims) const;
  void apply(SampleValues& sample, Draws& draws) const;
};

}  // namespace lbann::transforms
