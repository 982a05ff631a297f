#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// 1 where x >= c, else 0. Its gradient is 0.
struct greater_equal_constant : elementwise_with_constant<greater_equal_constant> {
  static constexpr std::string_view name = "greater_equal_constant";
  static constexpr std::string_view summary = "1 where x >= c, else 0.";

  Term value(Term x) const { return of(Function::less_equal, constant, x); }
};

}  // namespace lbann::compiler::layers
