#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// |x|; its gradient at 0 is 0.
struct abs : elementwise<abs, 1> {
  static constexpr std::string_view name = "abs";
  static constexpr std::string_view summary = "|x|.";

  Term value(Term x) const { return of(Function::abs, x); }
};

}  // namespace lbann::compiler::layers
