#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// x where it is positive, negative_slope x elsewhere.
struct leaky_relu : elementwise<leaky_relu, 1> {
  static constexpr std::string_view name = "leaky_relu";
  static constexpr std::string_view summary = "x where it is positive, negative_slope x elsewhere.";
  static constexpr Values gives = Values::scores;

  double negative_slope = 0.01;

  static constexpr auto fields() {
    return std::tuple{field("negative_slope", &leaky_relu::negative_slope, "Slope below zero.")};
  }

  Term value(Term x) const {
    return x * of(Function::select, of(Function::less, 0.0, x), 1.0, negative_slope);
  }
};

}  // namespace lbann::compiler::layers
