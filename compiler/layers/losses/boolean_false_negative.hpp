#pragma once

#include "compiler/layers/losses/boolean_accuracy.hpp"

namespace lbann::compiler::layers {

/// 1 where x is below 0.5 and y is not, else 0. 0.5 itself is above. Gradients are 0.
struct boolean_false_negative : elementwise<boolean_false_negative, 2> {
  static constexpr std::string_view name = "boolean_false_negative";
  static constexpr std::string_view summary = "1 where x is below 0.5 and y is not, else 0.";

  Term value(Term x, Term y) const {
    return of(Function::less, at_least_half(x), at_least_half(y));
  }
};

}  // namespace lbann::compiler::layers
