#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// The larger of x and c, NaN if x is. Where they are equal half of the gradient passes.
struct max_constant : elementwise_with_constant<max_constant> {
  static constexpr std::string_view name = "max_constant";
  static constexpr std::string_view summary = "The larger of x and c.";

  Term value(Term x) const { return of(Function::maximum, x, constant); }
};

}  // namespace lbann::compiler::layers
