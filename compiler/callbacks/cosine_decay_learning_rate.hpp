// Callback `cosine_decay_learning_rate`.
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
#include "schemas/vocabulary/learning_rate.hpp"

namespace lbann::compiler {
class CallbackLowering;
}

namespace lbann::callbacks {

struct cosine_decay_learning_rate {
  static constexpr std::string_view name = "cosine_decay_learning_rate";
  static constexpr std::string_view summary =
      "Lets the learning rate fall from step to step along half a cosine, after a linear warm-up.";
  static constexpr std::string_view formula =
      "t is the number of the step, from 0 on; w = warmup_steps, or those of warmup_epochs; d = "
      "decay_steps, or those of decay_epochs\n"
      "rate = initial_warmup_learning_rate + (lr_max - initial_warmup_learning_rate) t / w while t "
      "< w\n"
      "rate = lr_min + (lr_max - lr_min) (1 + cos(pi (t - w) / d)) / 2 while t < w + d\n"
      "rate = lr_min from then on";
  static constexpr bool changes_learning_rate = true;

  std::vector<std::string> weights = {};
  double lr_max = 0;
  double lr_min = 0;
  std::int64_t decay_steps = 0;
  double decay_epochs = 0;
  double initial_warmup_learning_rate = 0;
  std::int64_t warmup_steps = 0;
  double warmup_epochs = 0;

  static constexpr Reference references[] = {{"weights", Referent::trained_weights}};

  static constexpr auto fields() {
    return std::tuple{
        field("weights", &cosine_decay_learning_rate::weights,
              "Names of the weights it acts on; all that are trained if left out."),
        lbann::learning_rate(field("lr_max", &cosine_decay_learning_rate::lr_max,
                                   "The learning rate at the begin of the fall.", at_least_zero,
                                   Presence::required)),
        lbann::learning_rate(field("lr_min", &cosine_decay_learning_rate::lr_min,
                                   "The learning rate at its end.", at_least_zero,
                                   Presence::required)),
        field("decay_steps", &cosine_decay_learning_rate::decay_steps,
              "Steps that the fall takes; 0: as `decay_epochs` says.", Presence::optional, "steps",
              counted_from_zero),
        field("decay_epochs", &cosine_decay_learning_rate::decay_epochs,
              "Epochs that the fall takes, of as many steps as the first one; 0: all of training "
              "after the warm-up.",
              Presence::optional, "epochs", at_least_zero),
        lbann::learning_rate(field("initial_warmup_learning_rate",
                                   &cosine_decay_learning_rate::initial_warmup_learning_rate,
                                   "The learning rate at the begin of the warm-up.",
                                   at_least_zero)),
        field("warmup_steps", &cosine_decay_learning_rate::warmup_steps,
              "Steps that the warm-up takes; 0: as `warmup_epochs` says.", Presence::optional,
              "steps", counted_from_zero),
        field("warmup_epochs", &cosine_decay_learning_rate::warmup_epochs,
              "Epochs that the warm-up takes, of as many steps as the first one.",
              Presence::optional, "epochs", at_least_zero)};
  }

  /// Steps and epochs at once, and a fall over an unknown number of epochs.
  void check(ModelView const& model, Findings& findings) const;
  void lower(compiler::CallbackLowering& lowering) const;
};

}  // namespace lbann::callbacks
