#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// 1 where exactly one of x and y is true, else 0. Neither 0 nor NaN is true. Gradients are 0.
struct logical_xor : elementwise<logical_xor, 2> {
  static constexpr std::string_view name = "logical_xor";
  static constexpr std::string_view summary = "1 where exactly one of x and y is true, else 0.";

  Term value(Term x, Term y) const {
    auto const same =
        of(Function::equal, of(Function::logical_not, x), of(Function::logical_not, y));
    return of(Function::logical_not, same);
  }
};

}  // namespace lbann::compiler::layers
