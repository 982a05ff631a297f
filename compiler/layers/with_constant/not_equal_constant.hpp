#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// 0 where x = c, else 1. Its gradient is 0.
struct not_equal_constant : elementwise_with_constant<not_equal_constant> {
  static constexpr std::string_view name = "not_equal_constant";
  static constexpr std::string_view summary = "0 where x = c, else 1.";

  Term value(Term x) const { return of(Function::logical_not, of(Function::equal, x, constant)); }
};

}  // namespace lbann::compiler::layers
