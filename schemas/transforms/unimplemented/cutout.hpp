// Transform `cutout`, declared but not built.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>

#include "schemas/vocabulary/field.hpp"

namespace lbann::transforms {

struct cutout {
  static constexpr std::string_view name = "cutout";
  static constexpr std::string_view summary = "Blackens squares at random places.";
  static constexpr Support support = Support::unimplemented;

  std::int64_t num_holes = 0;
  std::int64_t length = 0;

  static constexpr auto fields() {
    return std::tuple{field("num_holes", &cutout::num_holes, "Number of squares.", at_least_one,
                            Presence::required),
                      field("length", &cutout::length, "Height and width of a square.",
                            Presence::required, "pixels", at_least_one)};
  }
};

}  // namespace lbann::transforms
