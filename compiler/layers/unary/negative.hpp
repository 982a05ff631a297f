#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// -x.
struct negative : elementwise<negative, 1> {
  static constexpr std::string_view name = "negative";
  static constexpr std::string_view summary = "-x.";

  Term value(Term x) const { return -x; }
};

}  // namespace lbann::compiler::layers
