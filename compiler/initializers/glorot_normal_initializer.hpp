#pragma once

#include "compiler/initializers/variance_scaling.hpp"

namespace lbann::compiler::initializers {

/// Glorot and Bengio, Understanding the difficulty of training deep feedforward neural networks,
/// 2010.
struct glorot_normal_initializer {
  static constexpr std::string_view name = "glorot_normal_initializer";
  static constexpr std::string_view summary = "Normal with variance 2 / (fan_in + fan_out).";
  static constexpr std::string_view formula =
      "w = sqrt(2 / (fan_in + fan_out)) e, e standard normal";
  static constexpr bool needs_fans = true;

  static constexpr auto fields() { return std::tuple<>{}; }

  Operator fill(InitContext const& context) const {
    return normal_with_variance(context, 2 / (context.fan_in + context.fan_out));
  }
};

}  // namespace lbann::compiler::initializers
