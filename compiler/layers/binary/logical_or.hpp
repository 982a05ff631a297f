#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// 1 where x or y is true, else 0. Neither 0 nor NaN is true. Gradients are 0.
struct logical_or : elementwise<logical_or, 2> {
  static constexpr std::string_view name = "logical_or";
  static constexpr std::string_view summary = "1 where x or y is true, else 0.";

  Term value(Term x, Term y) const { return of(Function::logical_or, x, y); }
};

}  // namespace lbann::compiler::layers
