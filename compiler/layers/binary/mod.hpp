#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// Remainder of x / y, of the sign of x, as C's fmod. d/dy = -trunc(x / y), where LBANN takes the
/// whole number below.
struct mod : elementwise<mod, 2> {
  static constexpr std::string_view name = "mod";
  static constexpr std::string_view summary = "Remainder of x / y, of the sign of x.";

  Term value(Term x, Term y) const { return of(Function::mod, x, y); }
};

}  // namespace lbann::compiler::layers
