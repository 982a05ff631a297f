// Callback `optimizerwise_adaptive_learning_rate`, declared but not built.
#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct optimizerwise_adaptive_learning_rate {
  static constexpr std::string_view name = "optimizerwise_adaptive_learning_rate";
  static constexpr std::string_view summary =
      "Scales the learning rate by the ratio of the norms of weights and gradient.";
  static constexpr Support support = Support::unbuilt;

  std::vector<std::string> weights;
  double scale = 0;

  static constexpr auto fields() {
    return std::tuple{field("weights", &optimizerwise_adaptive_learning_rate::weights,
                            "Names of the weights it acts on; all that are trained if left out."),
                      field("scale", &optimizerwise_adaptive_learning_rate::scale,
                            "Factor of the ratio.", above_zero, Presence::required)};
  }
};

}  // namespace lbann::callbacks
