#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// 1 where x = y, else 0. Gradients are 0.
struct equal : elementwise<equal, 2> {
  static constexpr std::string_view name = "equal";
  static constexpr std::string_view summary = "1 where x = y, else 0.";

  Term value(Term x, Term y) const { return of(Function::equal, x, y); }
};

}  // namespace lbann::compiler::layers
