// Transform `resize`, declared but not built.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>

#include "schemas/vocabulary/field.hpp"

namespace lbann::transforms {

struct resize {
  static constexpr std::string_view name = "resize";
  static constexpr std::string_view summary = "Resizes.";
  static constexpr Support support = Support::unimplemented;

  std::int64_t height = 0;
  std::int64_t width = 0;

  static constexpr auto fields() {
    return std::tuple{field("height", &resize::height, "Height of the result.", Presence::required,
                            "pixels", at_least_one),
                      field("width", &resize::width, "Width of the result.", Presence::required,
                            "pixels", at_least_one)};
  }
};

}  // namespace lbann::transforms
