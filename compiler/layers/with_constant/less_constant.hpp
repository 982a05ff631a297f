#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// 1 where x < c, else 0. Its gradient is 0.
struct less_constant : elementwise_with_constant<less_constant> {
  static constexpr std::string_view name = "less_constant";
  static constexpr std::string_view summary = "1 where x < c, else 0.";

  Term value(Term x) const { return of(Function::less, x, constant); }
};

}  // namespace lbann::compiler::layers
