#pragma once

#include "compiler/objective/objective_term.hpp"

namespace lbann::compiler::objective_terms {

/// scale_factor / 2 times the sum of squares; its gradient is scale_factor w.
struct l2_weight_regularization {
  static constexpr std::string_view name = "l2_weight_regularization";
  static constexpr std::string_view summary = "Half the sum of squared weights.";

  double scale_factor = 0;
  std::vector<std::string> weights;

  static constexpr auto fields() {
    return std::tuple{
        field("scale_factor", &l2_weight_regularization::scale_factor, "Factor of the term.",
              Presence::required),
        field(
            "weights", &l2_weight_regularization::weights,
            "Names of weights, or patterns of them with `*` and `?`; all that are trained if left "
            "out.")};
  }
};

}  // namespace lbann::compiler::objective_terms
