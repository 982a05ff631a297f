#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// 0 where x = y, else 1. Gradients are 0.
struct not_equal : elementwise<not_equal, 2> {
  static constexpr std::string_view name = "not_equal";
  static constexpr std::string_view summary = "0 where x = y, else 1.";

  Term value(Term x, Term y) const { return of(Function::logical_not, of(Function::equal, x, y)); }
};

}  // namespace lbann::compiler::layers
