// Transform `sample_normalize`, declared but not built.
#pragma once

#include <string_view>
#include <tuple>

#include "schemas/vocabulary/field.hpp"

namespace lbann::transforms {

struct sample_normalize {
  static constexpr std::string_view name = "sample_normalize";
  static constexpr std::string_view summary = "Gives every sample mean 0 and standard deviation 1.";
  static constexpr Support support = Support::unimplemented;

  static constexpr auto fields() { return std::tuple<>{}; }
};

}  // namespace lbann::transforms
