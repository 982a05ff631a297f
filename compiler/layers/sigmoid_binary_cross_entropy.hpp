// The layer `sigmoid_binary_cross_entropy`.
#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// The binary cross entropy of sigmoid(x) and the truth y, which is kept within [0, 1] (its
/// gradient beyond is 0), entry by entry.
struct sigmoid_binary_cross_entropy : elementwise<sigmoid_binary_cross_entropy, 2> {
  static constexpr std::string_view name = "sigmoid_binary_cross_entropy";
  static constexpr std::string_view summary =
      "The binary cross entropy of sigmoid(x) and the truth y, without overflow.";

  Term value(Term x, Term y) const {
    auto const low = of(Function::select, of(Function::less, y, 0.0), 0.0, y);
    auto const truth = of(Function::select, of(Function::less, 1.0, y), 1.0, low);
    // max(x, 0) - x truth + log(1 + exp(-|x|)), of which the first two are exact for 0 and 1.
    auto const positive = of(Function::maximum, x, 0.0);
    return positive - x * truth + of(Function::softplus, -of(Function::abs, x));
  }
};

}  // namespace lbann::compiler::layers
