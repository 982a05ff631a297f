#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// Error function.
struct erf : elementwise<erf, 1> {
  static constexpr std::string_view name = "erf";
  static constexpr std::string_view summary = "Error function.";

  Term value(Term x) const { return of(Function::erf, x); }
};

}  // namespace lbann::compiler::layers
