#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// Sine.
struct sin : elementwise<sin, 1> {
  static constexpr std::string_view name = "sin";
  static constexpr std::string_view summary = "Sine.";

  Term value(Term x) const { return of(Function::sin, x); }
};

}  // namespace lbann::compiler::layers
