#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// 1 where x >= y, else 0. Gradients are 0.
struct greater_equal : elementwise<greater_equal, 2> {
  static constexpr std::string_view name = "greater_equal";
  static constexpr std::string_view summary = "1 where x >= y, else 0.";

  Term value(Term x, Term y) const { return of(Function::less_equal, y, x); }
};

}  // namespace lbann::compiler::layers
