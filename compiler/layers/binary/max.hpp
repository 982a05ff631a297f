#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// The larger of x and y, NaN if either is. The gradient of equals goes to both by halves.
struct max : elementwise<max, 2> {
  static constexpr std::string_view name = "max";
  static constexpr std::string_view summary = "The larger of x and y.";

  Term value(Term x, Term y) const { return of(Function::maximum, x, y); }
};

}  // namespace lbann::compiler::layers
