#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// Tangent.
struct tan : elementwise<tan, 1> {
  static constexpr std::string_view name = "tan";
  static constexpr std::string_view summary = "Tangent.";

  Term value(Term x) const { return of(Function::tan, x); }
};

}  // namespace lbann::compiler::layers
