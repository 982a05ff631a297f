// Callback `step_minibatch`.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>

#include "schemas/plan/plan.hpp"
#include "schemas/vocabulary/counts.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::compiler {
class CallbackLowering;
struct CallbackCheck;
struct Declaration;
}  // namespace lbann::compiler

namespace lbann::callbacks {

struct step_minibatch {
  static constexpr std::string_view name = "step_minibatch";
  static constexpr std::string_view summary =
      "Doubles mini-batch size and learning rates every so many epochs.";
  static constexpr std::string_view formula =
      "size = min(starting_mbsize 2^k, mini_batch_size) from epoch k step on, k = 0, 1, ...\n"
      "rates are multiplied by what the size is multiplied by, in ramp_time equal steps at the "
      "ends "
      "of epochs; at once if 0";
  static constexpr bool changes_learning_rate = true;

  std::int64_t starting_mbsize = 0;
  std::int64_t step = 0;
  std::int64_t ramp_time = 0;

  static constexpr auto fields() {
    return std::tuple{
        field("starting_mbsize", &step_minibatch::starting_mbsize,
              "Mini-batch size of the first epochs.", Presence::required, "samples",
              counted_from_one),
        field("step", &step_minibatch::step, "Epochs from one change to the next.",
              Presence::required, "epochs", counted_from_one),
        field("ramp_time", &step_minibatch::ramp_time, "Epochs over which learning rates follow.",
              Presence::optional, "epochs", counted_from_zero)};
  }

  std::int64_t first_epoch() const { return step; }
  void check(compiler::CallbackCheck const& check) const;
  static std::vector<MiniBatchChange> mini_batches(compiler::Declaration const& written,
                                                   std::int64_t largest);
  void lower(compiler::CallbackLowering& lowering) const;
};

/// Its schedule of sizes and learning rates; no size is above `largest`.
struct MiniBatchStep;
std::vector<MiniBatchStep> steps_of(step_minibatch const& fields, std::int64_t largest);

}  // namespace lbann::callbacks
