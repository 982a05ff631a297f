// Callback: evaluations within epochs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include "schemas/callbacks/model_view.hpp"
#include "schemas/callbacks/references.hpp"
#include "schemas/vocabulary/counts.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct evaluate_progress {
  static constexpr std::string_view name = "evaluate_progress";
  static constexpr std::string_view summary =
      "Evaluates the model every so many steps of training, on validation data or else on test "
      "data.";

  std::int64_t batch_interval = 1;
  std::string metric;

  static constexpr Reference references[] = {{"metric", Referent::measure}};

  static constexpr auto fields() {
    return std::tuple{
        field("batch_interval", &evaluate_progress::batch_interval, "Evaluate every so many steps.",
              Presence::optional, "steps", counted_from_one),
        field("metric", &evaluate_progress::metric,
              "Name of the metric that is logged, or `objective`; all if left out. metrics.jsonl "
              "has all of them.")};
  }

  void check(ModelView const& model, Findings& findings) const;
};

}  // namespace lbann::callbacks
