#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// Inverse sine; NaN beyond [-1, 1].
struct asin : elementwise<asin, 1> {
  static constexpr std::string_view name = "asin";
  static constexpr std::string_view summary = "Inverse sine.";

  Term value(Term x) const { return of(Function::asin, x); }
};

}  // namespace lbann::compiler::layers
