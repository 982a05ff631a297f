#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// x - c.
struct subtract_constant : elementwise_with_constant<subtract_constant> {
  static constexpr std::string_view name = "subtract_constant";
  static constexpr std::string_view summary = "x - c.";

  Term value(Term x) const { return x - constant; }
};

}  // namespace lbann::compiler::layers
