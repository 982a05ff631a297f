#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// log(1 / (1 + exp(-x))).
struct log_sigmoid : elementwise<log_sigmoid, 1> {
  static constexpr std::string_view name = "log_sigmoid";
  static constexpr std::string_view summary = "log(1 / (1 + exp(-x))).";
  static constexpr Values gives = Values::logarithms;

  Term value(Term x) const { return -of(Function::softplus, -x); }
};

}  // namespace lbann::compiler::layers
