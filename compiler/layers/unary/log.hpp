#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// Natural logarithm.
struct log : elementwise<log, 1> {
  static constexpr std::string_view name = "log";
  static constexpr std::string_view summary = "Natural logarithm.";

  Term value(Term x) const { return of(Function::log, x); }
};

}  // namespace lbann::compiler::layers
