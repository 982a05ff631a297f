#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// x * y.
struct multiply : elementwise<multiply, 2> {
  static constexpr std::string_view name = "multiply";
  static constexpr std::string_view summary = "x * y.";

  Term value(Term x, Term y) const { return x * y; }
};

}  // namespace lbann::compiler::layers
