#pragma once

#include "compiler/layers/losses/boolean_accuracy.hpp"

namespace lbann::compiler::layers {

/// 1 where y is below 0.5 and x is not, else 0. 0.5 itself is above. Gradients are 0.
struct boolean_false_positive : elementwise<boolean_false_positive, 2> {
  static constexpr std::string_view name = "boolean_false_positive";
  static constexpr std::string_view summary = "1 where y is below 0.5 and x is not, else 0.";

  Term value(Term x, Term y) const {
    return of(Function::less, at_least_half(y), at_least_half(x));
  }
};

}  // namespace lbann::compiler::layers
