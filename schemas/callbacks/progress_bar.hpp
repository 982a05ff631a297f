// Callback: progress of an epoch.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>

#include "schemas/vocabulary/counts.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct progress_bar {
  static constexpr std::string_view name = "progress_bar";
  static constexpr std::string_view summary =
      "Shows how far an epoch is: a bar on a terminal, plain lines otherwise.";

  std::int64_t interval = 1;
  std::int64_t newline_interval = 0;
  std::int64_t moving_average_length = 10;
  std::int64_t bar_width = 30;
  bool scientific_notation = false;
  bool print_mem_usage = false;

  static constexpr auto fields() {
    return std::tuple{
        field("interval", &progress_bar::interval, "Renew the bar every so many steps.",
              Presence::optional, "steps", counted_from_one),
        field("newline_interval", &progress_bar::newline_interval,
              "Begin a new line every so many steps; 0: never.", Presence::optional, "steps",
              counted_from_zero),
        field("moving_average_length", &progress_bar::moving_average_length,
              "Number of steps the shown time and objective are averaged over.", Presence::optional,
              "steps", Range{.least = 1, .most = 1e6}),
        field("bar_width", &progress_bar::bar_width, "Width of the bar.", Presence::optional,
              "characters", Range{.least = 1, .most = 1000}),
        field("scientific_notation", &progress_bar::scientific_notation,
              "Show the objective as in 1.5e-03."),
        field("print_mem_usage", &progress_bar::print_mem_usage, "Show the memory in use.")};
  }
};

}  // namespace lbann::callbacks
