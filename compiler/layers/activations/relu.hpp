#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// max(x, 0); what is not a number stays so. Its gradient at 0 is 0.
struct relu : elementwise<relu, 1> {
  static constexpr std::string_view name = "relu";
  static constexpr std::string_view summary = "max(x, 0).";
  static constexpr Values gives = Values::scores;

  Term value(Term x) const {
    return of(Function::select, of(Function::less_equal, x, 0.0), 0.0, x);
  }
};

}  // namespace lbann::compiler::layers
