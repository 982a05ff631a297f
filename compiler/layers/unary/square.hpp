#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// x * x.
struct square : elementwise<square, 1> {
  static constexpr std::string_view name = "square";
  static constexpr std::string_view summary = "x * x.";

  Term value(Term x) const { return of(Function::square, x); }
};

}  // namespace lbann::compiler::layers
