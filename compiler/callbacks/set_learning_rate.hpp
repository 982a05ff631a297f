// Callback `set_learning_rate`.
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

struct set_learning_rate {
  static constexpr std::string_view name = "set_learning_rate";
  static constexpr std::string_view summary = "Sets the learning rate at the end of an epoch.";
  static constexpr std::string_view formula =
      "rate = val at the end of epoch `step`, counted from 1";
  static constexpr bool changes_learning_rate = true;

  std::vector<std::string> weights = {};
  std::int64_t step = 0;
  double val = 0;

  static constexpr Reference references[] = {{"weights", Referent::trained_weights}};

  static constexpr auto fields() {
    return std::tuple{
        field("weights", &set_learning_rate::weights,
              "Names of the weights it acts on; all that are trained if left out."),
        field("step", &set_learning_rate::step, "Finished epochs when it acts.", Presence::required,
              "epochs", counted_from_one),
        lbann::learning_rate(field("val", &set_learning_rate::val, "The learning rate.",
                                   at_least_zero, Presence::required))};
  }

  std::int64_t first_epoch() const { return step; }
  void lower(compiler::CallbackLowering& lowering) const;
};

}  // namespace lbann::callbacks
