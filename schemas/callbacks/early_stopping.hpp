// Callback `early_stopping`.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>

#include "schemas/callbacks/model_view.hpp"
#include "schemas/vocabulary/counts.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct early_stopping {
  static constexpr std::string_view name = "early_stopping";
  static constexpr std::string_view summary =
      "Ends training when the objective of the validation stops falling.";
  static constexpr std::string_view formula =
      "training ends after a validation whose objective, like those of the patience - 1 before it, "
      "is\n"
      "not below the lowest of all validations before them\n"
      "with `restore_best`, all weights are then set to those of the validation of the lowest";

  std::int64_t patience = 0;
  bool restore_best = false;

  static constexpr auto fields() {
    return std::tuple{
        field("patience", &early_stopping::patience,
              "Validations in a row without a lower objective after which training ends.",
              Presence::required, "epochs", counted_from_one),
        field("restore_best", &early_stopping::restore_best,
              "Keep a copy in memory of all weights of the best validation, and go back to them "
              "when training ends, unless by a signal.")};
  }

  void check(ModelView const& model, Findings& findings) const;
};

}  // namespace lbann::callbacks
