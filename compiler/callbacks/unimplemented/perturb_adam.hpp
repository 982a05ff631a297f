// Callback `perturb_adam`, declared but not built.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/vocabulary/counts.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct perturb_adam {
  static constexpr std::string_view name = "perturb_adam";
  static constexpr std::string_view summary =
      "Varies the numbers of Adam at random, on a logarithmic scale.";
  static constexpr Support support = Support::unimplemented;

  double learning_rate_factor = 0;
  double beta1_factor = 0;
  double beta2_factor = 0;
  double eps_factor = 0;
  bool perturb_during_training = false;
  std::int64_t batch_interval = 1;
  std::vector<std::string> weights;

  static constexpr auto fields() {
    return std::tuple{
        field("learning_rate_factor", &perturb_adam::learning_rate_factor,
              "Spread of the learning rate.", at_least_zero),
        field("beta1_factor", &perturb_adam::beta1_factor, "Spread of 1 - beta1.", at_least_zero),
        field("beta2_factor", &perturb_adam::beta2_factor, "Spread of 1 - beta2.", at_least_zero),
        field("eps_factor", &perturb_adam::eps_factor, "Spread of eps.", at_least_zero),
        field("perturb_during_training", &perturb_adam::perturb_during_training,
              "Do it during training too, not only before."),
        field("batch_interval", &perturb_adam::batch_interval, "Do it every so many steps.",
              Presence::optional, "steps", counted_from_one),
        field("weights", &perturb_adam::weights,
              "Names of the weights it acts on; all that are trained if left out.")};
  }
};

}  // namespace lbann::callbacks
