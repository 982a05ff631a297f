// Callback `perturb_adam`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "compiler/callbacks/hyperparameter.hpp"
#include "schemas/callbacks/model_view.hpp"
#include "schemas/callbacks/references.hpp"
#include "schemas/vocabulary/counts.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::compiler {
class CallbackLowering;
}

namespace lbann::callbacks {

struct perturb_adam {
  static constexpr std::string_view name = "perturb_adam";
  static constexpr std::string_view summary =
      "Changes the numbers of Adam at random, before training, for each weights object its own.";
  static constexpr std::string_view formula =
      "learn_rate = learn_rate exp(learning_rate_factor z)\n"
      "beta1 = max(1 - (1 - beta1) exp(beta1_factor z), 0), beta2 likewise\n"
      "eps = eps exp(eps_factor z)\n"
      "z standard normal, drawn for each of them";
  static constexpr bool changes_learning_rate = true;

  double learning_rate_factor = 0;
  double beta1_factor = 0;
  double beta2_factor = 0;
  double eps_factor = 0;
  bool perturb_during_training = false;
  std::int64_t batch_interval = 1;
  std::vector<std::string> weights = {};

  static constexpr Reference references[] = {{"weights", Referent::trained_weights}};

  static constexpr auto fields() {
    return std::tuple{
        field("learning_rate_factor", &perturb_adam::learning_rate_factor,
              "Standard deviation of the logarithm of the factor of the learning rate.",
              at_least_zero),
        field("beta1_factor", &perturb_adam::beta1_factor, "The same of 1 - beta1.", at_least_zero),
        field("beta2_factor", &perturb_adam::beta2_factor, "The same of 1 - beta2.", at_least_zero),
        field("eps_factor", &perturb_adam::eps_factor, "The same of eps.", at_least_zero),
        field("perturb_during_training", &perturb_adam::perturb_during_training,
              "Do it during training too, not only before."),
        field("batch_interval", &perturb_adam::batch_interval, "Do it every so many steps.",
              Presence::optional, "steps", counted_from_one),
        field("weights", &perturb_adam::weights,
              "Names of the weights it acts on; all that Adam trains if left out.")};
  }

  std::vector<std::vector<WeightsId>> groups(ModelView const& model) const;
  void check(ModelView const& model, Findings& findings) const;
  std::vector<Hyperparameter> varies(ModelView const& model) const;
  void lower(compiler::CallbackLowering& lowering) const;

 private:
  /// The weights that Adam trains among those it acts on.
  std::vector<WeightsId> chosen(ModelView const& model) const;
};

}  // namespace lbann::callbacks
