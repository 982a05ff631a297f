#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// 1 where x is 0 or NaN, else 0. Its gradient is 0.
struct logical_not : elementwise<logical_not, 1> {
  static constexpr std::string_view name = "logical_not";
  static constexpr std::string_view summary = "1 where x is 0 or NaN, else 0.";

  Term value(Term x) const { return of(Function::logical_not, x); }
};

}  // namespace lbann::compiler::layers
