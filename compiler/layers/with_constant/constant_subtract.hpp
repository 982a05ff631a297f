#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// c - x.
struct constant_subtract : elementwise_with_constant<constant_subtract> {
  static constexpr std::string_view name = "constant_subtract";
  static constexpr std::string_view summary = "c - x.";

  Term value(Term x) const { return constant - x; }
};

}  // namespace lbann::compiler::layers
