// Transform `pad`, declared but not built.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>

#include "schemas/vocabulary/field.hpp"

namespace lbann::transforms {

struct pad {
  static constexpr std::string_view name = "pad";
  static constexpr std::string_view summary = "Puts a black margin around.";
  static constexpr Support support = Support::unimplemented;

  std::int64_t pad_ = 0;

  static constexpr auto fields() {
    return std::tuple{field("pad", &pad::pad_, "Width of the margin.", Presence::required, "pixels",
                            at_least_zero)};
  }
};

}  // namespace lbann::transforms
