#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// The nearest whole number, halves away from 0. Its gradient is 0.
struct round : elementwise<round, 1> {
  static constexpr std::string_view name = "round";
  static constexpr std::string_view summary = "The nearest whole number, halves away from 0.";

  Term value(Term x) const { return of(Function::round, x); }
};

}  // namespace lbann::compiler::layers
