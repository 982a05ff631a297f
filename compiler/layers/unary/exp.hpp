#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// e to the power of x.
struct exp : elementwise<exp, 1> {
  static constexpr std::string_view name = "exp";
  static constexpr std::string_view summary = "e to the power of x.";

  Term value(Term x) const { return of(Function::exp, x); }
};

}  // namespace lbann::compiler::layers
