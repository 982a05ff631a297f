#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// c x.
struct scale : elementwise_with_constant<scale> {
  static constexpr std::string_view name = "scale";
  static constexpr std::string_view summary = "c x.";

  Term value(Term x) const { return x * constant; }
};

}  // namespace lbann::compiler::layers
