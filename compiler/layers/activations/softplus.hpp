#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// log(1 + exp(x)).
struct softplus : elementwise<softplus, 1> {
  static constexpr std::string_view name = "softplus";
  static constexpr std::string_view summary = "log(1 + exp(x)).";
  static constexpr Values gives = Values::scores;

  Term value(Term x) const { return of(Function::softplus, x); }
};

}  // namespace lbann::compiler::layers
