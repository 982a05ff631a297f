#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// The binary cross entropy of sigmoid(x) and the truth y, which is kept within [0, 1] (its
/// gradient beyond is 0), entry by entry.
struct sigmoid_binary_cross_entropy : elementwise<sigmoid_binary_cross_entropy, 2> {
  static constexpr std::string_view name = "sigmoid_binary_cross_entropy";
  static constexpr std::string_view summary =
      "The binary cross entropy of sigmoid(x) and the truth y, without overflow.";
  static constexpr Values compares = Values::scores;

  Term value(Term x, Term y) const {
    auto const low = of(Function::select, of(Function::less, y, 0.0), 0.0, y);
    auto const truth = of(Function::select, of(Function::less, 1.0, y), 1.0, low);
    // As LBANN: (1 - truth) x + log(1 + exp(-x)) where x > 0, - truth x + log(1 + exp(x))
    // elsewhere.
    auto const positive = of(Function::less, 0.0, x);
    return (positive - truth) * x + of(Function::softplus, of(Function::select, positive, -x, x));
  }
};

}  // namespace lbann::compiler::layers
