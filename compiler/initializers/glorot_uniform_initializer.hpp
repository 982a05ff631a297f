#pragma once

#include "compiler/initializers/variance_scaling.hpp"

namespace lbann::compiler::initializers {

/// Glorot and Bengio, Understanding the difficulty of training deep feedforward neural networks,
/// 2010.
struct glorot_uniform_initializer {
  static constexpr std::string_view name = "glorot_uniform_initializer";
  static constexpr std::string_view summary = "Uniform with variance 2 / (fan_in + fan_out).";
  static constexpr std::string_view formula =
      "w = sqrt(6 / (fan_in + fan_out)) u, u uniform in [-1, 1)";
  static constexpr bool needs_fans = true;

  static constexpr auto fields() { return std::tuple<>{}; }

  Operator fill(InitContext const& context) const {
    return uniform_with_variance(context, 2 / (context.fan_in + context.fan_out));
  }
};

}  // namespace lbann::compiler::initializers
