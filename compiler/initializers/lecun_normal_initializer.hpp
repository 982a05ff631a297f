#pragma once

#include "compiler/initializers/variance_scaling.hpp"

namespace lbann::compiler::initializers {

/// LeCun et al., Efficient backprop, 1998.
struct lecun_normal_initializer {
  static constexpr std::string_view name = "lecun_normal_initializer";
  static constexpr std::string_view summary = "Normal with variance 1 / fan_in.";
  static constexpr std::string_view formula = "w = sqrt(1 / fan_in) e, e standard normal";
  static constexpr bool needs_fans = true;

  static constexpr auto fields() { return std::tuple<>{}; }

  Operator fill(InitContext const& context) const {
    return normal_with_variance(context, 1 / context.fan_in);
  }
};

}  // namespace lbann::compiler::initializers
