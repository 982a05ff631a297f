#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// 1 / x, and 0 with a gradient of 0 where that is not finite.
struct safe_reciprocal : elementwise<safe_reciprocal, 1> {
  static constexpr std::string_view name = "safe_reciprocal";
  static constexpr std::string_view summary = "1 / x, and 0 where that is not finite.";

  Term value(Term x) const {
    auto const y = of(Function::reciprocal, x);
    return of(Function::select, is_finite(y), y, 0.0);
  }
};

}  // namespace lbann::compiler::layers
