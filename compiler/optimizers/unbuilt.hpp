// Optimizers that are declared but not built.
#pragma once

#include <string_view>
#include <tuple>

#include "schemas/vocabulary/field.hpp"

namespace lbann::compiler::optimizers {

/// Duchi et al., 2011: c += g^2; w -= learn_rate g / (sqrt(c) + eps).
struct adagrad {
  static constexpr std::string_view name = "adagrad";
  static constexpr std::string_view summary = "Steps scaled by the sum of squared gradients.";
  static constexpr Support support = Support::unbuilt;

  double learn_rate = 0;
  double eps = 1e-8;

  static constexpr auto fields() {
    return std::tuple{field("learn_rate", &adagrad::learn_rate, "Step along the scaled gradient.",
                            Presence::required, {}, at_least_zero),
                      field("eps", &adagrad::eps, "Added to the root of the sum.", at_least_zero)};
  }
};

/// Hinton's lecture 6e: c = decay_rate c + (1 - decay_rate) g^2; w -= learn_rate g / (sqrt(c) +
/// eps).
struct rmsprop {
  static constexpr std::string_view name = "rmsprop";
  static constexpr std::string_view summary =
      "Steps scaled by a running mean of squared gradients.";
  static constexpr Support support = Support::unbuilt;

  double learn_rate = 0;
  double decay_rate = 0.99;
  double eps = 1e-8;

  static constexpr auto fields() {
    return std::tuple{
        field("learn_rate", &rmsprop::learn_rate, "Step along the scaled gradient.",
              Presence::required, {}, at_least_zero),
        field("decay_rate", &rmsprop::decay_rate, "Part of the mean square that is kept.",
              zero_to_below_one),
        field("eps", &rmsprop::eps, "Added to the root of the mean square.", at_least_zero)};
  }
};

/// Baydin et al., 2018: Adam whose learning rate itself follows a gradient.
struct hypergradient_adam {
  static constexpr std::string_view name = "hypergradient_adam";
  static constexpr std::string_view summary = "Adam with a learning rate that is learned.";
  static constexpr Support support = Support::unbuilt;

  double init_learning_rate = 0;
  double hyper_learning_rate = 1e-7;
  double beta1 = 0.9;
  double beta2 = 0.99;
  double eps = 1e-8;

  static constexpr auto fields() {
    return std::tuple{field("init_learning_rate", &hypergradient_adam::init_learning_rate,
                            "The first learning rate.", Presence::required, {}, at_least_zero),
                      field("hyper_learning_rate", &hypergradient_adam::hyper_learning_rate,
                            "Step of the learning rate along its gradient.", at_least_zero),
                      field("beta1", &hypergradient_adam::beta1,
                            "Part of the mean gradient that is kept.", zero_to_below_one),
                      field("beta2", &hypergradient_adam::beta2,
                            "Part of the mean squared gradient that is kept.", zero_to_below_one),
                      field("eps", &hypergradient_adam::eps,
                            "Added to the root of the mean square.", at_least_zero)};
  }
};

}  // namespace lbann::compiler::optimizers
