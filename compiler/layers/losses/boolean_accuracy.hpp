#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// 1 where x is 0.5 or more, else 0; NaN is not.
inline Term at_least_half(Term x) { return of(Function::less_equal, 0.5, x); }

/// 1 where x and y are on the same side of 0.5, else 0. 0.5 itself is above. Gradients are 0.
struct boolean_accuracy : elementwise<boolean_accuracy, 2> {
  static constexpr std::string_view name = "boolean_accuracy";
  static constexpr std::string_view summary =
      "1 where x and y are on the same side of 0.5, else 0.";

  Term value(Term x, Term y) const {
    return of(Function::equal, at_least_half(x), at_least_half(y));
  }
};

}  // namespace lbann::compiler::layers
