// Transform `grayscale`, declared but not built.
#pragma once

#include <string_view>
#include <tuple>

#include "schemas/vocabulary/field.hpp"

namespace lbann::transforms {

struct grayscale {
  static constexpr std::string_view name = "grayscale";
  static constexpr std::string_view summary = "Makes one channel of three.";
  static constexpr Support support = Support::unimplemented;

  static constexpr auto fields() { return std::tuple<>{}; }
};

}  // namespace lbann::transforms
