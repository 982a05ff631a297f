// Callback: which samples are in each mini-batch.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include "schemas/vocabulary/counts.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct dump_mb_indices {
  static constexpr std::string_view name = "dump_mb_indices";
  static constexpr std::string_view summary =
      "Writes the numbers of the samples of each mini-batch, a file for each step and rank.";

  std::string basename;
  std::int64_t interval = 1;

  static constexpr auto fields() {
    return std::tuple{written_path(field("basename", &dump_mb_indices::basename,
                                         "Folder to write, in the folder of the run.")),
                      field("interval", &dump_mb_indices::interval, "Write every so many steps.",
                            Presence::optional, "steps", counted_from_one)};
  }
};

}  // namespace lbann::callbacks
