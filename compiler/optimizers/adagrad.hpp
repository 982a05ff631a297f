#pragma once

#include "compiler/optimizers/optimizer.hpp"
#include "schemas/vocabulary/learning_rate.hpp"

namespace lbann::compiler::optimizers {

/// Duchi, Hazan, Singer: Adaptive subgradient methods, 2011.
struct adagrad {
  static constexpr std::string_view name = "adagrad";
  static constexpr std::string_view summary = "Steps scaled by the sum of squared gradients.";
  static constexpr std::string_view formula =
      "s = s + g^2\n"
      "w = w - learn_rate g / (sqrt(s) + eps)";
  static constexpr bool trains = true;

  double learn_rate = 0;
  double eps = 1e-8;

  static constexpr auto fields() {
    return std::tuple{lbann::learning_rate(field("learn_rate", &adagrad::learn_rate,
                                                 "Step along the scaled gradient.",
                                                 Presence::required, {}, at_least_zero)),
                      field("eps", &adagrad::eps, "Added to the root of the sum.", at_least_zero)};
  }

  double learning_rate() const { return learn_rate; }
  std::vector<MomentInfo> moments() const;
  std::vector<CounterInfo> counters() const;
  void update(OptimizerContext& context) const;
};

}  // namespace lbann::compiler::optimizers
