#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// Square root.
struct sqrt : elementwise<sqrt, 1> {
  static constexpr std::string_view name = "sqrt";
  static constexpr std::string_view summary = "Square root.";

  Term value(Term x) const { return of(Function::sqrt, x); }
};

}  // namespace lbann::compiler::layers
