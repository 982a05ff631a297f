#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// 1 / sqrt(x).
struct rsqrt : elementwise<rsqrt, 1> {
  static constexpr std::string_view name = "rsqrt";
  static constexpr std::string_view summary = "1 / sqrt(x).";

  Term value(Term x) const { return 1.0 / of(Function::sqrt, x); }
};

}  // namespace lbann::compiler::layers
