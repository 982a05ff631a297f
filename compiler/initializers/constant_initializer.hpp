#pragma once

#include "compiler/initializers/initializer.hpp"

namespace lbann::compiler::initializers {

/// Every entry is `value`.
struct constant_initializer {
  static constexpr std::string_view name = "constant_initializer";
  static constexpr std::string_view summary = "Every entry is the same.";
  static constexpr std::string_view formula = "w = value";
  static constexpr bool needs_fans = false;

  double value = 0;

  static constexpr auto fields() {
    return std::tuple{field("value", &constant_initializer::value, "Every entry.")};
  }

  Operator fill(InitContext const& context) const;
};

}  // namespace lbann::compiler::initializers
