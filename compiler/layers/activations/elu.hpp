#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// x where it is positive, alpha (exp(x) - 1) elsewhere.
inline Term exponential_linear_unit(Term x, double alpha) {
  // The exponential of what is not positive alone, so that neither it nor its gradient is infinite.
  auto const positive = of(Function::less, 0.0, x);
  return of(Function::select, positive, x, 0.0) +
         alpha * of(Function::expm1, of(Function::select, positive, 0.0, x));
}

/// The exponential linear unit (arXiv:1511.07289).
struct elu : elementwise<elu, 1> {
  static constexpr std::string_view name = "elu";
  static constexpr std::string_view summary =
      "x where it is positive, alpha (exp(x) - 1) elsewhere.";
  static constexpr Values gives = Values::scores;

  double alpha = 1;

  static constexpr auto fields() {
    return std::tuple{field("alpha", &elu::alpha, "Minus the limit far below zero.")};
  }

  Term value(Term x) const { return exponential_linear_unit(x, alpha); }
};

}  // namespace lbann::compiler::layers
