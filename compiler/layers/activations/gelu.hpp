#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// The Gaussian error linear unit as BERT and GPT approximate it (arXiv:1606.08415):
/// 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))).
struct gelu : elementwise<gelu, 1> {
  static constexpr std::string_view name = "gelu";
  static constexpr std::string_view summary =
      "Gaussian error linear unit: 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))).";
  static constexpr Values gives = Values::scores;

  Term value(Term x) const {
    constexpr double root_two_over_pi = 0.797884560802865356;
    auto const cubic = x + 0.044715 * (of(Function::square, x) * x);
    return 0.5 * x * (1.0 + of(Function::tanh, root_two_over_pi * cubic));
  }
};

}  // namespace lbann::compiler::layers
