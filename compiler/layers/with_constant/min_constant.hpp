#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// The smaller of x and c, NaN if x is. Where they are equal half of the gradient passes.
struct min_constant : elementwise_with_constant<min_constant> {
  static constexpr std::string_view name = "min_constant";
  static constexpr std::string_view summary = "The smaller of x and c.";

  Term value(Term x) const { return of(Function::minimum, x, constant); }
};

}  // namespace lbann::compiler::layers
