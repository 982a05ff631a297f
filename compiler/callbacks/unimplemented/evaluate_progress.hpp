// Callback `evaluate_progress`, declared but not built.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include "schemas/vocabulary/counts.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct evaluate_progress {
  static constexpr std::string_view name = "evaluate_progress";
  static constexpr std::string_view summary =
      "Evaluates a metric on the tournament data every so many steps.";
  static constexpr Support support = Support::unimplemented;
  static constexpr bool on_tournament_data = true;

  std::int64_t batch_interval = 1;
  std::string metric;

  static constexpr auto fields() {
    return std::tuple{
        field("batch_interval", &evaluate_progress::batch_interval, "Evaluate every so many steps.",
              Presence::optional, "steps", counted_from_one),
        field("metric", &evaluate_progress::metric, "Name of the metric; all if left out.")};
  }
};

}  // namespace lbann::callbacks
