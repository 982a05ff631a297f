#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// Hyperbolic cosine.
struct cosh : elementwise<cosh, 1> {
  static constexpr std::string_view name = "cosh";
  static constexpr std::string_view summary = "Hyperbolic cosine.";

  Term value(Term x) const { return of(Function::cosh, x); }
};

}  // namespace lbann::compiler::layers
