// Transform `resized_center_crop`.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>

#include "schemas/transforms/sample_values.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::transforms {

struct resized_center_crop {
  static constexpr std::string_view name = "resized_center_crop";
  static constexpr std::string_view summary = "Resizes, then cuts out the middle.";

  std::int64_t height = 0;
  std::int64_t width = 0;
  std::int64_t crop_height = 0;
  std::int64_t crop_width = 0;

  static constexpr auto fields() {
    return std::tuple{field("height", &resized_center_crop::height, "Height after resizing.",
                            Presence::required, "pixels", at_least_one),
                      field("width", &resized_center_crop::width, "Width after resizing.",
                            Presence::required, "pixels", at_least_one),
                      field("crop_height", &resized_center_crop::crop_height,
                            "Height of the part that is cut out of it.", Presence::required,
                            "pixels", at_least_one),
                      field("crop_width", &resized_center_crop::crop_width,
                            "Width of the part that is cut out of it.", Presence::required,
                            "pixels", at_least_one)};
  }

  /// Dims of what it makes of a sample of `dims`; the problem says what it is not made for.
  Result<SampleDims> dims_after(SampleDims const& dims) const;
  void apply(SampleValues& sample, Draws& draws) const;
};

}  // namespace lbann::transforms
