#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// x + c.
struct add_constant : elementwise_with_constant<add_constant> {
  static constexpr std::string_view name = "add_constant";
  static constexpr std::string_view summary = "x + c.";

  Term value(Term x) const { return x + constant; }
};

}  // namespace lbann::compiler::layers
