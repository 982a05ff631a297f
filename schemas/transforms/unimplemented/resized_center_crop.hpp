// Transform `resized_center_crop`, declared but not built.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>

#include "schemas/vocabulary/field.hpp"

namespace lbann::transforms {

struct resized_center_crop {
  static constexpr std::string_view name = "resized_center_crop";
  static constexpr std::string_view summary = "Resizes, then cuts out the middle.";
  static constexpr Support support = Support::unimplemented;

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
};

}  // namespace lbann::transforms
