#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// -1, 0 or 1, as x is below, at or above 0. Its gradient is 0.
struct sign : elementwise<sign, 1> {
  static constexpr std::string_view name = "sign";
  static constexpr std::string_view summary = "-1, 0 or 1, as x is below, at or above 0.";

  Term value(Term x) const { return of(Function::sign, x); }
};

}  // namespace lbann::compiler::layers
