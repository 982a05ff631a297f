// Callback: compares gradients with finite differences of the objective.
#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/callbacks/execution_modes.hpp"
#include "schemas/callbacks/model_view.hpp"
#include "schemas/callbacks/observed_values.hpp"
#include "schemas/callbacks/references.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct check_gradients {
  static constexpr std::string_view name = "check_gradients";
  static constexpr std::string_view summary =
      "Compares gradients with differences of the objective, for every entry of all trained "
      "weights, "
      "on the first mini-batch, when training, a validation or a test ends.";
  static constexpr std::string_view formula =
      "d = (-f(w + 2 h) + 8 f(w + h) - 8 f(w - h) + f(w - 2 h)) / (12 h), f the objective, w one "
      "entry\n"
      "a gradient g is wrong where |g - d| > (e f(w) / h + h^4 / 18)^0.9\n"
      "h = step_size, or |f(w)| sqrt(e) where that is 0; e = epsilon^0.9, epsilon that of the "
      "numbers of the model\n"
      "numbers of 16 bits are stored in f32 for it";

  double step_size = 0;
  bool verbose = false;
  bool error_on_failure = false;
  std::vector<std::string> execution_modes;

  static constexpr Reference references[] = {{"execution_modes", Referent::phase}};

  static constexpr auto fields() {
    return std::tuple{
        field("step_size", &check_gradients::step_size,
              "Step of the differences; 0: chosen from the objective.", at_least_zero),
        field("verbose", &check_gradients::verbose, "Print every entry."),
        field("error_on_failure", &check_gradients::error_on_failure,
              "Stop with an error when a gradient is wrong."),
        some_of(field("execution_modes", &check_gradients::execution_modes,
                      "Phases it acts in; all if left out."),
                execution_mode_words)};
  }

  ObservedValues observes() const { return {.gradient_checks = execution_modes}; }
  void check(ModelView const& model, Findings& findings) const;
};

}  // namespace lbann::callbacks
