#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// 1 where x and y are true, else 0. Neither 0 nor NaN is true. Gradients are 0.
struct logical_and : elementwise<logical_and, 2> {
  static constexpr std::string_view name = "logical_and";
  static constexpr std::string_view summary = "1 where x and y are true, else 0.";

  Term value(Term x, Term y) const { return of(Function::logical_and, x, y); }
};

}  // namespace lbann::compiler::layers
