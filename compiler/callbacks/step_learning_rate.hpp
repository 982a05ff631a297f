// Callback `step_learning_rate`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/callbacks/references.hpp"
#include "schemas/vocabulary/counts.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::compiler {
class CallbackLowering;
}

namespace lbann::callbacks {

struct step_learning_rate {
  static constexpr std::string_view name = "step_learning_rate";
  static constexpr std::string_view summary =
      "Multiplies the learning rate at the end of every so many epochs.";
  static constexpr std::string_view formula =
      "rate = rate amt at the end of epoch e, from 1 on, if step divides e";
  static constexpr bool changes_learning_rate = true;

  std::vector<std::string> weights = {};
  std::int64_t step = 0;
  double amt = 0;

  static constexpr Reference references[] = {{"weights", Referent::trained_weights}};

  static constexpr auto fields() {
    return std::tuple{
        field("weights", &step_learning_rate::weights,
              "Names of the weights it acts on; all that are trained if left out."),
        field("step", &step_learning_rate::step, "Epochs from one change to the next.",
              Presence::required, "epochs", counted_from_one),
        field("amt", &step_learning_rate::amt, "Factor of the learning rate.", above_zero,
              Presence::required)};
  }

  std::int64_t first_epoch() const { return step; }
  void lower(compiler::CallbackLowering& lowering) const;
};

}  // namespace lbann::callbacks
