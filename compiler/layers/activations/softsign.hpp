#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// x / (1 + |x|).
struct softsign : elementwise<softsign, 1> {
  static constexpr std::string_view name = "softsign";
  static constexpr std::string_view summary = "x / (1 + |x|).";

  Term value(Term x) const { return of(Function::softsign, x); }
};

}  // namespace lbann::compiler::layers
