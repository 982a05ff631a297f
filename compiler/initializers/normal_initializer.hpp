#pragma once

#include "compiler/initializers/initializer.hpp"

namespace lbann::compiler::initializers {

/// Normal distribution.
struct normal_initializer {
  static constexpr std::string_view name = "normal_initializer";
  static constexpr std::string_view summary = "Normal distribution.";
  static constexpr std::string_view formula = "w = mean + standard_deviation e, e standard normal";
  static constexpr bool needs_fans = false;

  double mean = 0;
  double standard_deviation = 1;

  static constexpr auto fields() {
    return std::tuple{field("mean", &normal_initializer::mean, "Mean."),
                      field("standard_deviation", &normal_initializer::standard_deviation,
                            "Standard deviation.", at_least_zero)};
  }

  Operator fill(InitContext const& context) const;
};

}  // namespace lbann::compiler::initializers
