#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// Cosine.
struct cos : elementwise<cos, 1> {
  static constexpr std::string_view name = "cos";
  static constexpr std::string_view summary = "Cosine.";

  Term value(Term x) const { return of(Function::cos, x); }
};

}  // namespace lbann::compiler::layers
