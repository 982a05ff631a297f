#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// Inverse tangent.
struct atan : elementwise<atan, 1> {
  static constexpr std::string_view name = "atan";
  static constexpr std::string_view summary = "Inverse tangent.";

  Term value(Term x) const { return of(Function::atan, x); }
};

}  // namespace lbann::compiler::layers
