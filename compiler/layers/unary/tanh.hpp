#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// Hyperbolic tangent.
struct tanh : elementwise<tanh, 1> {
  static constexpr std::string_view name = "tanh";
  static constexpr std::string_view summary = "Hyperbolic tangent.";
  static constexpr Values gives = Values::scores;

  Term value(Term x) const { return of(Function::tanh, x); }
};

}  // namespace lbann::compiler::layers
