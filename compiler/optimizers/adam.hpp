#pragma once

#include "compiler/optimizers/optimizer.hpp"
#include "schemas/vocabulary/learning_rate.hpp"

namespace lbann::compiler::optimizers {

/// Kingma and Ba, Adam, 2015, in the form LBANN has it; decay by Loshchilov and Hutter, 2019.
struct adam {
  static constexpr std::string_view name = "adam";
  static constexpr std::string_view summary =
      "Steps scaled by running means of gradients and their squares.";
  static constexpr std::string_view formula =
      "m = beta1 m + (1 - beta1) g\n"
      "s = beta2 s + (1 - beta2) g^2\n"
      "w = w - learn_rate c m / (sqrt(s) + eps) - learn_rate adamw_weight_decay w\n"
      "c = sqrt(1 - beta2^t) / (1 - beta1^t), t the number of the step, from 1 on\n"
      "entries whose g is not finite leave w, m and s as they are\n"
      "eps is not scaled with the correction, as in LBANN and unlike PyTorch, where sqrt(s / "
      "(1 - beta2^t)) + eps stands";
  static constexpr bool trains = true;

  double learn_rate = 0;
  double beta1 = 0.9;
  double beta2 = 0.99;
  double eps = 1e-8;
  double adamw_weight_decay = 0;

  static constexpr auto fields() {
    return std::tuple{
        lbann::normalized_learning_rate(field("learn_rate", &adam::learn_rate,
                                              "Largest change of a weight in a step.",
                                              Presence::required, {}, at_least_zero)),
        field("beta1", &adam::beta1, "Part of the mean gradient that is kept.", zero_to_below_one),
        field("beta2", &adam::beta2, "Part of the mean squared gradient that is kept.",
              zero_to_below_one),
        field("eps", &adam::eps,
              "Added to the root of the mean square; not corrected for the first steps.",
              at_least_zero),
        field("adamw_weight_decay", &adam::adamw_weight_decay,
              "Part of each weight taken away in a step, times the learning rate (Loshchilov and "
              "Hutter).",
              at_least_zero)};
  }

  double learning_rate() const { return learn_rate; }
  std::vector<MomentInfo> moments() const;
  std::vector<CounterInfo> counters() const;
  void update(OptimizerContext& context) const;
};

}  // namespace lbann::compiler::optimizers
