// Callback `optimizerwise_adaptive_learning_rate`.
#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/callbacks/references.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::compiler {
class CallbackLowering;
}

namespace lbann::callbacks {

struct optimizerwise_adaptive_learning_rate {
  static constexpr std::string_view name = "optimizerwise_adaptive_learning_rate";
  static constexpr std::string_view summary =
      "Scales each step of weights by the ratio of the norms of weights and gradient.";
  static constexpr std::string_view formula =
      "w is changed as if the learning rate were rate scale |w| / |g|, g the gradient of w\n"
      "|x| = sqrt(sum over i: x[i]^2); where |w| or |g| is 0 the rate holds as it is";

  std::vector<std::string> weights = {};
  double scale = 0;

  static constexpr Reference references[] = {{"weights", Referent::trained_weights}};

  static constexpr auto fields() {
    return std::tuple{
        field("weights", &optimizerwise_adaptive_learning_rate::weights,
              "Names of the weights it acts on; all that are trained if left out."),
        field("scale", &optimizerwise_adaptive_learning_rate::scale,
              "Factor of the ratio; where a norm is 0 the learning rate holds as it is.",
              above_zero, Presence::required)};
  }

  void lower(compiler::CallbackLowering& lowering) const;
};

}  // namespace lbann::callbacks
