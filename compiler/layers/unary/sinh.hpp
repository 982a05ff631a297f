#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// Hyperbolic sine.
struct sinh : elementwise<sinh, 1> {
  static constexpr std::string_view name = "sinh";
  static constexpr std::string_view summary = "Hyperbolic sine.";

  Term value(Term x) const { return of(Function::sinh, x); }
};

}  // namespace lbann::compiler::layers
