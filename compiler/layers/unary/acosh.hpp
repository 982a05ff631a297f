#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// Inverse hyperbolic cosine; NaN below 1. Its gradient has the sign that LBANN has wrong.
struct acosh : elementwise<acosh, 1> {
  static constexpr std::string_view name = "acosh";
  static constexpr std::string_view summary = "Inverse hyperbolic cosine.";

  Term value(Term x) const { return of(Function::acosh, x); }
};

}  // namespace lbann::compiler::layers
