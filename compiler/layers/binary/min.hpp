#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// The smaller of x and y, NaN if either is. The gradient of equals goes to both by halves.
struct min : elementwise<min, 2> {
  static constexpr std::string_view name = "min";
  static constexpr std::string_view summary = "The smaller of x and y.";

  Term value(Term x, Term y) const { return of(Function::minimum, x, y); }
};

}  // namespace lbann::compiler::layers
