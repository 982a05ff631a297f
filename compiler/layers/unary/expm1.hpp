#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// exp(x) - 1, exact near 0.
struct expm1 : elementwise<expm1, 1> {
  static constexpr std::string_view name = "expm1";
  static constexpr std::string_view summary = "exp(x) - 1, exact near 0.";

  Term value(Term x) const { return of(Function::expm1, x); }
};

}  // namespace lbann::compiler::layers
