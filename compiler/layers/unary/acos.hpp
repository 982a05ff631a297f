#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// Inverse cosine; NaN beyond [-1, 1].
struct acos : elementwise<acos, 1> {
  static constexpr std::string_view name = "acos";
  static constexpr std::string_view summary = "Inverse cosine.";

  Term value(Term x) const { return of(Function::acos, x); }
};

}  // namespace lbann::compiler::layers
