// What data readers that run a user's Python have in common.
#pragma once

#include "schemas/data_readers/reader.hpp"

namespace lbann::data_readers {

struct python_processes : reader {
  static constexpr bool runs_user_code = true;

  std::int64_t num_workers = 1;
  double sample_timeout = 240;
  double start_timeout = 240;

  static constexpr auto process_fields() {
    return std::tuple{
        field("num_workers", &python_processes::num_workers,
              "Python processes of each rank; which of them makes a sample changes nothing.",
              Range{.least = 1, .most = 256}),
        field("sample_timeout", &python_processes::sample_timeout,
              "Longest time that one sample may take.", Presence::optional, "s", above_zero),
        field("start_timeout", &python_processes::start_timeout,
              "Longest time that a process may take to start and import the module.",
              Presence::optional, "s", above_zero)};
  }

  std::int64_t samples() const { return -1; }
};

}  // namespace lbann::data_readers
