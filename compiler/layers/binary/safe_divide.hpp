#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// x / y, and 0 with gradients of 0 where that is not finite.
struct safe_divide : elementwise<safe_divide, 2> {
  static constexpr std::string_view name = "safe_divide";
  static constexpr std::string_view summary = "x / y, and 0 where that is not finite.";

  Term value(Term x, Term y) const {
    // 0 / 1 there, so that gradients are 0 too.
    auto const good = is_finite(x / y);
    return of(Function::select, good, x, 0.0) / of(Function::select, good, y, 1.0);
  }
};

}  // namespace lbann::compiler::layers
