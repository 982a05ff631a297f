// Callback `step_minibatch`, declared but not built.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>

#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct step_minibatch {
  static constexpr std::string_view name = "step_minibatch";
  static constexpr std::string_view summary = "Doubles the mini-batch size every so many epochs.";
  static constexpr Support support = Support::unbuilt;

  std::int64_t starting_mbsize = 0;
  std::int64_t step = 0;
  std::int64_t ramp_time = 0;

  static constexpr auto fields() {
    return std::tuple{
        field("starting_mbsize", &step_minibatch::starting_mbsize,
              "Mini-batch size of the first epochs.", Presence::required, "samples", at_least_one),
        field("step", &step_minibatch::step, "Epochs from one change to the next.",
              Presence::required, "epochs", at_least_one),
        field("ramp_time", &step_minibatch::ramp_time,
              "Epochs over which the learning rate follows.", Presence::optional, "epochs",
              at_least_zero)};
  }
};

}  // namespace lbann::callbacks
