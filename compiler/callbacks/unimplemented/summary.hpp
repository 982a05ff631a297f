// Callback `summary`, declared but not built.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>

#include "schemas/vocabulary/counts.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

/// Named apart from its own sentence.
struct summary_ {
  static constexpr std::string_view name = "summary";
  static constexpr std::string_view summary =
      "Writes statistics of layers and weights as event files for TensorBoard.";
  static constexpr Support support = Support::unimplemented;

  std::int64_t batch_interval = 1;
  std::int64_t mat_interval = 25;

  static constexpr auto fields() {
    return std::tuple{
        field("batch_interval", &summary_::batch_interval, "Write every so many steps.",
              Presence::optional, "steps", counted_from_one),
        field("mat_interval", &summary_::mat_interval,
              "Write histograms of whole matrices every so many steps; 0: never.",
              Presence::optional, "steps", counted_from_zero)};
  }
};

}  // namespace lbann::callbacks
