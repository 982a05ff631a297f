// Transform `center_crop`, declared but not built.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>

#include "schemas/vocabulary/field.hpp"

namespace lbann::transforms {

struct center_crop {
  static constexpr std::string_view name = "center_crop";
  static constexpr std::string_view summary = "Cuts out the middle.";
  static constexpr Support support = Support::unimplemented;

  std::int64_t height = 0;
  std::int64_t width = 0;

  static constexpr auto fields() {
    return std::tuple{field("height", &center_crop::height, "Height of the result.",
                            Presence::required, "pixels", at_least_one),
                      field("width", &center_crop::width, "Width of the result.",
                            Presence::required, "pixels", at_least_one)};
  }
};

}  // namespace lbann::transforms
