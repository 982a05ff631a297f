#pragma once

#include <limits>

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// 1 / (1 + exp(-x)). LBANN has the cutoff on.
struct sigmoid : elementwise<sigmoid, 1> {
  static constexpr std::string_view name = "sigmoid";
  static constexpr std::string_view summary = "1 / (1 + exp(-x)).";
  static constexpr Values gives = Values::probabilities;

  bool cutoff = false;

  static constexpr auto fields() {
    return std::tuple{field(
        "cutoff", &sigmoid::cutoff,
        "Keep outputs within [eps, 1 - eps], eps the distance of 1 to the next number; beyond, "
        "the gradient is 0.")};
  }

  Term value(Term x, DataType type) const {
    auto const y = of(Function::sigmoid, x);
    if (!cutoff) return y;
    double const least = type == DataType::f64
                             ? std::numeric_limits<double>::epsilon()
                             : static_cast<double>(std::numeric_limits<float>::epsilon());
    auto const below = of(Function::less_equal, y, least);
    auto const above = of(Function::less_equal, 1 - least, y);
    return of(Function::select, below, least, of(Function::select, above, 1 - least, y));
  }
};

}  // namespace lbann::compiler::layers
