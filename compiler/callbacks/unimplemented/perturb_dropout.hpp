// Callback `perturb_dropout`, declared but not built.
#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct perturb_dropout {
  static constexpr std::string_view name = "perturb_dropout";
  static constexpr std::string_view summary =
      "Varies the keep probability of dropout layers at random before training.";
  static constexpr Support support = Support::unimplemented;

  double keep_dropout_factor = 0;
  std::vector<std::string> layers;

  static constexpr auto fields() {
    return std::tuple{
        field("keep_dropout_factor", &perturb_dropout::keep_dropout_factor,
              "Spread of the probability, on a logarithmic scale.", at_least_zero),
        field("layers", &perturb_dropout::layers, "Names of dropout layers; all if left out.")};
  }
};

}  // namespace lbann::callbacks
