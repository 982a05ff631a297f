// Callback `perturb_learning_rate`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/callbacks/model_view.hpp"
#include "schemas/callbacks/references.hpp"
#include "schemas/vocabulary/counts.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::compiler {
class CallbackLowering;
}

namespace lbann::callbacks {

struct perturb_learning_rate {
  static constexpr std::string_view name = "perturb_learning_rate";
  static constexpr std::string_view summary =
      "Multiplies learning rates by random factors whose logarithms are normal, before training.";
  static constexpr std::string_view formula =
      "rate = rate exp(learning_rate_factor z), z standard normal";
  static constexpr bool changes_learning_rate = true;

  double learning_rate_factor = 0;
  bool perturb_during_training = false;
  std::int64_t batch_interval = 1;
  std::vector<std::string> weights = {};

  static constexpr Reference references[] = {{"weights", Referent::trained_weights}};

  static constexpr auto fields() {
    return std::tuple{
        field("learning_rate_factor", &perturb_learning_rate::learning_rate_factor,
              "Standard deviation of the logarithms.", at_least_zero),
        field("perturb_during_training", &perturb_learning_rate::perturb_during_training,
              "Do it during training too, not only before."),
        field("batch_interval", &perturb_learning_rate::batch_interval,
              "Do it every so many steps.", Presence::optional, "steps", counted_from_one),
        field("weights", &perturb_learning_rate::weights,
              "Names of the weights it acts on; all that are trained if left out.")};
  }

  std::vector<std::vector<WeightsId>> groups(ModelView const& model) const;
  void lower(compiler::CallbackLowering& lowering) const;
};

}  // namespace lbann::callbacks
