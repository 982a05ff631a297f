#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// 1 / x. Of a gradient of 0 it passes on 0, also where x is 0.
struct reciprocal : elementwise<reciprocal, 1> {
  static constexpr std::string_view name = "reciprocal";
  static constexpr std::string_view summary = "1 / x.";

  Term value(Term x) const { return of(Function::reciprocal, x); }
};

}  // namespace lbann::compiler::layers
