#pragma once

#include "compiler/initializers/variance_scaling.hpp"

namespace lbann::compiler::initializers {

/// He et al., Delving deep into rectifiers, 2015.
struct he_uniform_initializer {
  static constexpr std::string_view name = "he_uniform_initializer";
  static constexpr std::string_view summary = "Uniform with variance 2 / fan_in.";
  static constexpr std::string_view formula = "w = sqrt(6 / fan_in) u, u uniform in [-1, 1)";
  static constexpr bool needs_fans = true;

  static constexpr auto fields() { return std::tuple<>{}; }

  Operator fill(InitContext const& context) const {
    return uniform_with_variance(context, 2 / context.fan_in);
  }
};

}  // namespace lbann::compiler::initializers
