// Callback: how long epochs and mini-batches take.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>

#include "schemas/vocabulary/counts.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct timer {
  static constexpr std::string_view name = "timer";
  static constexpr std::string_view summary =
      "Prints run time and statistics of mini-batch times at the end of an epoch, of a "
      "validation and of a test.";

  std::int64_t skip_steps = 0;

  static constexpr auto fields() {
    return std::tuple{field("skip_steps", &timer::skip_steps,
                            "Leave the first steps of an epoch out of the statistics.",
                            Presence::optional, "steps", counted_from_zero)};
  }
};

}  // namespace lbann::callbacks
