#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// (x - y)^2.
struct squared_difference : elementwise<squared_difference, 2> {
  static constexpr std::string_view name = "squared_difference";
  static constexpr std::string_view summary = "(x - y)^2.";

  Term value(Term x, Term y) const { return of(Function::square, x - y); }
};

}  // namespace lbann::compiler::layers
