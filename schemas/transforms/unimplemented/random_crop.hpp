// Transform `random_crop`, declared but not built.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>

#include "schemas/vocabulary/field.hpp"

namespace lbann::transforms {

struct random_crop {
  static constexpr std::string_view name = "random_crop";
  static constexpr std::string_view summary = "Cuts out a part at a random place.";
  static constexpr Support support = Support::unimplemented;

  std::int64_t height = 0;
  std::int64_t width = 0;

  static constexpr auto fields() {
    return std::tuple{field("height", &random_crop::height, "Height of the result.",
                            Presence::required, "pixels", at_least_one),
                      field("width", &random_crop::width, "Width of the result.",
                            Presence::required, "pixels", at_least_one)};
  }
};

}  // namespace lbann::transforms
