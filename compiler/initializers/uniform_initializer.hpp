#pragma once

#include "compiler/initializers/initializer.hpp"

namespace lbann::compiler::initializers {

/// Uniformly distributed numbers.
struct uniform_initializer {
  static constexpr std::string_view name = "uniform_initializer";
  static constexpr std::string_view summary = "Uniform in [min, max).";
  static constexpr std::string_view formula = "w = min + (max - min) u, u uniform in [0, 1)";
  static constexpr bool needs_fans = false;

  double min = 0;
  double max = 1;

  static constexpr auto fields() {
    return std::tuple{field("min", &uniform_initializer::min, "Lower bound."),
                      field("max", &uniform_initializer::max, "Upper bound, never drawn.")};
  }

  Operator fill(InitContext const& context) const;
};

}  // namespace lbann::compiler::initializers
