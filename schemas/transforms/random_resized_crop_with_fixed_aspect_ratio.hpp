// Transform `random_resized_crop_with_fixed_aspect_ratio`.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>

#include "schemas/transforms/sample_values.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::transforms {

struct random_resized_crop_with_fixed_aspect_ratio {
  static constexpr std::string_view name = "random_resized_crop_with_fixed_aspect_ratio";
  static constexpr std::string_view summary = "Resizes, then cuts out a part at a random place.";
  static constexpr bool is_random = true;

  std::int64_t height = 0;
  std::int64_t width = 0;
  std::int64_t crop_height = 0;
  std::int64_t crop_width = 0;

  static constexpr auto fields() {
    return std::tuple{
        field("height", &random_resized_crop_with_fixed_aspect_ratio::height,
              "Height after resizing.", Presence::required, "pixels", at_least_one),
        field("width", &random_resized_crop_with_fixed_aspect_ratio::width, "Width after resizing.",
              Presence::required, "pixels", at_least_one),
        field("crop_height", &random_resized_crop_with_fixed_aspect_ratio::crop_height,
              "Height of the part that is cut out of it.", Presence::required, "pixels",
              at_least_one),
        field("crop_width", &random_resized_crop_with_fixed_aspect_ratio::crop_width,
              "Width of the part that is cut out of it.", Presence::required, "pixels",
              at_least_one)};
  }

  /// Dims of what it makes of a sample of `dims`; the problem says what it is not made for.
  Result<SampleDims> dims_after(SampleDims const& dims) const;
  void apply(SampleValues& sample, Draws& draws) const;
};

}  // namespace lbann::transforms
