#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// log(1 + x), exact near 0.
struct log1p : elementwise<log1p, 1> {
  static constexpr std::string_view name = "log1p";
  static constexpr std::string_view summary = "log(1 + x), exact near 0.";

  Term value(Term x) const { return of(Function::log1p, x); }
};

}  // namespace lbann::compiler::layers
