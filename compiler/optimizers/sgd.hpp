#pragma once

#include "compiler/optimizers/optimizer.hpp"
#include "schemas/vocabulary/learning_rate.hpp"

namespace lbann::compiler::optimizers {

/// Stochastic gradient descent; without momentum there is no v.
struct sgd {
  static constexpr std::string_view name = "sgd";
  static constexpr std::string_view summary = "Stochastic gradient descent with momentum.";
  static constexpr std::string_view formula =
      "without momentum: w = w - learn_rate g\n"
      "otherwise: v = momentum v + g, w = w - learn_rate v\n"
      "with `nesterov`: v = momentum v + g, w = w - learn_rate (momentum v + g)";
  static constexpr bool trains = true;

  double learn_rate = 0;
  double momentum = 0;
  bool nesterov = false;

  static constexpr auto fields() {
    return std::tuple{
        lbann::learning_rate(field("learn_rate", &sgd::learn_rate, "Step along the gradient.",
                                   Presence::required, {}, at_least_zero)),
        field("momentum", &sgd::momentum, "Part of the last step's direction that is kept.",
              zero_to_below_one),
        field("nesterov", &sgd::nesterov, "Look ahead along the momentum.")};
  }

  double learning_rate() const { return learn_rate; }
  std::vector<MomentInfo> moments() const;
  std::vector<CounterInfo> counters() const;
  void update(OptimizerContext& context) const;
};

}  // namespace lbann::compiler::optimizers
