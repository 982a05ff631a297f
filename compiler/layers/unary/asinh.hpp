#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// Inverse hyperbolic sine.
struct asinh : elementwise<asinh, 1> {
  static constexpr std::string_view name = "asinh";
  static constexpr std::string_view summary = "Inverse hyperbolic sine.";

  Term value(Term x) const { return of(Function::asinh, x); }
};

}  // namespace lbann::compiler::layers
