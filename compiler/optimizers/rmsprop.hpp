#pragma once

#include "compiler/optimizers/optimizer.hpp"
#include "schemas/vocabulary/learning_rate.hpp"

namespace lbann::compiler::optimizers {

/// Hinton, Neural networks for machine learning, lecture 6e.
struct rmsprop {
  static constexpr std::string_view name = "rmsprop";
  static constexpr std::string_view summary =
      "Steps scaled by a running mean of squared gradients.";
  static constexpr std::string_view formula =
      "s = decay_rate s + (1 - decay_rate) g^2\n"
      "w = w - learn_rate g / (sqrt(s) + eps)";
  static constexpr bool trains = true;

  double learn_rate = 0;
  double decay_rate = 0.99;
  double eps = 1e-8;

  static constexpr auto fields() {
    return std::tuple{
        lbann::normalized_learning_rate(field("learn_rate", &rmsprop::learn_rate,
                                              "Step along the scaled gradient.", Presence::required,
                                              {}, at_least_zero)),
        field("decay_rate", &rmsprop::decay_rate, "Part of the mean square that is kept.",
              zero_to_below_one),
        field("eps", &rmsprop::eps, "Added to the root of the mean square.", at_least_zero)};
  }

  double learning_rate() const { return learn_rate; }
  std::vector<MomentInfo> moments() const;
  std::vector<CounterInfo> counters() const;
  void update(OptimizerContext& context) const;
};

}  // namespace lbann::compiler::optimizers
