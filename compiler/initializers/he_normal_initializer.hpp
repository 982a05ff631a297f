#pragma once

#include "compiler/initializers/variance_scaling.hpp"

namespace lbann::compiler::initializers {

/// He et al., Delving deep into rectifiers, 2015.
struct he_normal_initializer {
  static constexpr std::string_view name = "he_normal_initializer";
  static constexpr std::string_view summary = "Normal with variance 2 / fan_in.";
  static constexpr std::string_view formula = "w = sqrt(2 / fan_in) e, e standard normal";
  static constexpr bool needs_fans = true;

  static constexpr auto fields() { return std::tuple<>{}; }

  Operator fill(InitContext const& context) const {
    return normal_with_variance(context, 2 / context.fan_in);
  }
};

}  // namespace lbann::compiler::initializers
