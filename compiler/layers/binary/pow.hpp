#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// x to the power of y.
struct pow : elementwise<pow, 2> {
  static constexpr std::string_view name = "pow";
  static constexpr std::string_view summary = "x to the power of y.";

  Term value(Term x, Term y) const { return of(Function::pow, x, y); }
};

}  // namespace lbann::compiler::layers
