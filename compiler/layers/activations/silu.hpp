#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// The sigmoid linear unit (arXiv:1702.03118), swish with beta 1.
struct silu : elementwise<silu, 1> {
  static constexpr std::string_view name = "silu";
  static constexpr std::string_view summary = "Sigmoid linear unit: x / (1 + exp(-x)).";
  static constexpr Values gives = Values::scores;

  Term value(Term x) const { return x * of(Function::sigmoid, x); }
};

}  // namespace lbann::compiler::layers
