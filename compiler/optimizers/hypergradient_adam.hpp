#pragma once

#include "compiler/optimizers/optimizer.hpp"
#include "schemas/vocabulary/learning_rate.hpp"

namespace lbann::compiler::optimizers {

/// Baydin et al., Online learning rate adaptation with hypergradient descent, 2018, in the form
/// LBANN has it.
struct hypergradient_adam {
  static constexpr std::string_view name = "hypergradient_adam";
  static constexpr std::string_view summary =
      "Adam with learning rates that are learned, one for each weights object.";
  static constexpr std::string_view formula =
      "rate = rate + hyper_learning_rate sum over all entries of the weights: g d, d that of "
      "the step before; at first\n"
      "init_learning_rate, one for each weights object\n"
      "m = beta1 m + (1 - beta1) (g + eps)\n"
      "s = beta2 s + (1 - beta2) (g + eps)^2\n"
      "d = sqrt(1 - beta2^t) / (1 - beta1^t) m / (sqrt(s) + eps), t the number of the step, "
      "from 1 on\n"
      "w = w - rate d";
  static constexpr bool trains = true;
  static constexpr bool learns_rate = true;

  double init_learning_rate = 0;
  double hyper_learning_rate = 1e-7;
  double beta1 = 0.9;
  double beta2 = 0.99;
  double eps = 1e-8;

  static constexpr auto fields() {
    return std::tuple{
        lbann::normalized_learning_rate(
            field("init_learning_rate", &hypergradient_adam::init_learning_rate,
                  "The first learning rate.", Presence::required, {}, at_least_zero)),
        field("hyper_learning_rate", &hypergradient_adam::hyper_learning_rate,
              "Step of the learning rate along its gradient.", at_least_zero),
        field("beta1", &hypergradient_adam::beta1, "Part of the mean gradient that is kept.",
              zero_to_below_one),
        field("beta2", &hypergradient_adam::beta2,
              "Part of the mean squared gradient that is kept.", zero_to_below_one),
        field("eps", &hypergradient_adam::eps,
              "Added to the gradient and to the root of the mean square.", at_least_zero)};
  }

  double learning_rate() const { return init_learning_rate; }
  std::vector<MomentInfo> moments() const;
  std::vector<CounterInfo> counters() const;
  void update(OptimizerContext& context) const;
};

}  // namespace lbann::compiler::optimizers
