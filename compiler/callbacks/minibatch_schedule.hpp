// Callback `minibatch_schedule`.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>

#include "schemas/plan/plan.hpp"
#include "schemas/vocabulary/counts.hpp"
#include "schemas/vocabulary/field.hpp"
#include "schemas/vocabulary/part.hpp"

namespace lbann::compiler {
class CallbackLowering;
struct CallbackCheck;
struct Declaration;
}  // namespace lbann::compiler

namespace lbann::callbacks {

/// One step of the schedule.
struct minibatch_schedule_step {
  static constexpr std::string_view name = "step";
  static constexpr std::string_view summary = "From an epoch on, another mini-batch size.";

  std::int64_t epoch = 0;
  std::int64_t mbsize = 0;
  double lr = 0;
  std::int64_t ramp_time = 0;

  static constexpr auto fields() {
    return std::tuple{
        field("epoch", &minibatch_schedule_step::epoch, "Epochs before it.", Presence::required,
              "epochs", counted_from_one),
        field("mbsize", &minibatch_schedule_step::mbsize, "Mini-batch size.", Presence::required,
              "samples", counted_from_one),
        field("lr", &minibatch_schedule_step::lr,
              "Learning rate from there on, of all weights; 0: as it is.", at_least_zero),
        field("ramp_time", &minibatch_schedule_step::ramp_time,
              "Epochs over which the learning rate follows.", Presence::optional, "epochs",
              counted_from_zero)};
  }
};

struct minibatch_schedule {
  static constexpr std::string_view name = "minibatch_schedule";
  static constexpr std::string_view summary =
      "Changes mini-batch size and learning rates after given epochs.";
  static constexpr std::string_view formula =
      "after `epoch` epochs: size = min(mbsize, mini_batch_size), rates = lr\n"
      "with ramp_time, rates get there in so many equal steps at the ends of epochs";
  static constexpr bool changes_learning_rate = true;

  std::int64_t starting_mbsize = 0;

  static constexpr auto fields() {
    return std::tuple{field("starting_mbsize", &minibatch_schedule::starting_mbsize,
                            "Mini-batch size before the first step of the schedule.",
                            Presence::required, "samples", counted_from_one)};
  }

  static constexpr auto parts() {
    return std::tuple{
        Part<PartForm::sections, minibatch_schedule_step>{"step", "Steps of the schedule."}};
  }

  void check(compiler::CallbackCheck const& check) const;
  static std::vector<MiniBatchChange> mini_batches(compiler::Declaration const& written,
                                                   std::int64_t largest);
  void lower(compiler::CallbackLowering& lowering) const;
};

}  // namespace lbann::callbacks
