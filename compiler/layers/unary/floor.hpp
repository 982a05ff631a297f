#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// The largest whole number not above x. Its gradient is 0.
struct floor : elementwise<floor, 1> {
  static constexpr std::string_view name = "floor";
  static constexpr std::string_view summary = "The largest whole number not above x.";

  Term value(Term x) const { return of(Function::floor, x); }
};

}  // namespace lbann::compiler::layers
