#pragma once

#include "compiler/layers/activations/elu.hpp"

namespace lbann::compiler::layers {

/// The exponential linear unit scaled so that mean 0 and variance 1 stay (arXiv:1706.02515).
struct selu : elementwise<selu, 1> {
  static constexpr std::string_view name = "selu";
  static constexpr std::string_view summary =
      "1.0507 x where it is positive, 1.7581 (exp(x) - 1) elsewhere.";
  static constexpr Values gives = Values::scores;

  Term value(Term x) const {
    return 1.0507009873554804934 * exponential_linear_unit(x, 1.6732632423543772848);
  }
};

}  // namespace lbann::compiler::layers
