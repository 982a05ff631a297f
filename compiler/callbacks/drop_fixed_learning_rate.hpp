// Callback `drop_fixed_learning_rate`.
#pragma once

#include <algorithm>
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

struct drop_fixed_learning_rate {
  static constexpr std::string_view name = "drop_fixed_learning_rate";
  static constexpr std::string_view summary =
      "Multiplies the learning rate at the end of given epochs.";
  static constexpr std::string_view formula =
      "rate = rate amt at the end of each epoch of `drop_epoch`, counted from 1";
  static constexpr bool changes_learning_rate = true;

  std::vector<std::string> weights = {};
  std::vector<std::int64_t> drop_epoch;
  double amt = 0;

  static constexpr Reference references[] = {{"weights", Referent::trained_weights}};

  static constexpr auto fields() {
    return std::tuple{
        field("weights", &drop_fixed_learning_rate::weights,
              "Names of the weights it acts on; all that are trained if left out."),
        field("drop_epoch", &drop_fixed_learning_rate::drop_epoch, "Finished epochs when it acts.",
              Presence::required, "epochs", counted_from_one),
        field("amt", &drop_fixed_learning_rate::amt, "Factor of the learning rate.", above_zero,
              Presence::required)};
  }

  std::int64_t first_epoch() const {
    return drop_epoch.empty() ? 0 : *std::ranges::min_element(drop_epoch);
  }
  void lower(compiler::CallbackLowering& lowering) const;
};

}  // namespace lbann::callbacks
