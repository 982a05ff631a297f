#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// The smallest whole number not below x. Its gradient is 0.
struct ceil : elementwise<ceil, 1> {
  static constexpr std::string_view name = "ceil";
  static constexpr std::string_view summary = "The smallest whole number not below x.";

  Term value(Term x) const { return of(Function::ceil, x); }
};

}  // namespace lbann::compiler::layers
