#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// x, through which no gradient passes.
struct stop_gradient : elementwise<stop_gradient, 1> {
  static constexpr std::string_view name = "stop_gradient";
  static constexpr std::string_view summary = "x, through which no gradient passes.";

  Term value(Term x) const { return of(Function::stop_gradient, x); }
};

}  // namespace lbann::compiler::layers
