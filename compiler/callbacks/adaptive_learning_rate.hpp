// Callback `adaptive_learning_rate`.
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

struct adaptive_learning_rate {
  static constexpr std::string_view name = "adaptive_learning_rate";
  static constexpr std::string_view summary =
      "Multiplies the learning rate when the objective of training stops falling.";
  static constexpr std::string_view formula =
      "rate = rate amt at the end of an epoch whose objective is not below the lowest so far, "
      "after\n"
      "`patience` such epochs; from there on the lowest is the one of that epoch";
  static constexpr bool changes_learning_rate = true;

  std::vector<std::string> weights = {};
  std::int64_t patience = 0;
  double amt = 0;

  static constexpr Reference references[] = {{"weights", Referent::trained_weights}};

  static constexpr auto fields() {
    return std::tuple{
        field("weights", &adaptive_learning_rate::weights,
              "Names of the weights it acts on; all that are trained if left out."),
        field("patience", &adaptive_learning_rate::patience,
              "Epochs without a lower objective that are borne; it acts at the end of "
              "the next.",
              Presence::optional, "epochs", counted_from_zero),
        field("amt", &adaptive_learning_rate::amt, "Factor of the learning rate.", above_zero,
              Presence::required)};
  }

  void lower(compiler::CallbackLowering& lowering) const;
};

}  // namespace lbann::callbacks
