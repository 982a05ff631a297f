#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// Inverse hyperbolic tangent; NaN beyond [-1, 1].
struct atanh : elementwise<atanh, 1> {
  static constexpr std::string_view name = "atanh";
  static constexpr std::string_view summary = "Inverse hyperbolic tangent.";

  Term value(Term x) const { return of(Function::atanh, x); }
};

}  // namespace lbann::compiler::layers
