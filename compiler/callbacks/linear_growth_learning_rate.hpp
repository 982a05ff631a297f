// Callback `linear_growth_learning_rate`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/callbacks/references.hpp"
#include "schemas/vocabulary/counts.hpp"
#include "schemas/vocabulary/field.hpp"
#include "schemas/vocabulary/learning_rate.hpp"

namespace lbann::compiler {
class CallbackLowering;
}

namespace lbann::callbacks {

struct linear_growth_learning_rate {
  static constexpr std::string_view name = "linear_growth_learning_rate";
  static constexpr std::string_view summary =
      "Lets the learning rate grow linearly from epoch to epoch, as a warm-up.";
  static constexpr std::string_view formula =
      "rate = first + (target - first) (e - delay) / num_epochs at the end of epoch e, from 1 on,\n"
      "while delay <= e <= delay + num_epochs; first is the rate that training begins with";
  static constexpr bool changes_learning_rate = true;

  std::vector<std::string> weights = {};
  double target = 0;
  std::int64_t num_epochs = 0;
  std::int64_t delay = 0;

  static constexpr Reference references[] = {{"weights", Referent::trained_weights}};

  static constexpr auto fields() {
    return std::tuple{
        field("weights", &linear_growth_learning_rate::weights,
              "Names of the weights it acts on; all that are trained if left out."),
        lbann::learning_rate(field("target", &linear_growth_learning_rate::target,
                                   "The learning rate at the end.", at_least_zero,
                                   Presence::required)),
        field("num_epochs", &linear_growth_learning_rate::num_epochs,
              "Epochs that the growth takes.", Presence::required, "epochs", counted_from_one),
        field("delay", &linear_growth_learning_rate::delay, "Epochs before it begins.",
              Presence::optional, "epochs", counted_from_zero)};
  }

  std::int64_t first_epoch() const { return delay; }
  void lower(compiler::CallbackLowering& lowering) const;
};

}  // namespace lbann::callbacks
