// Callback: the lines about each epoch.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>

#include "schemas/vocabulary/counts.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct print {
  static constexpr std::string_view name = "print";
  static constexpr std::string_view summary =
      "Prints objective and metrics at the end of an epoch, of a validation and of a test.";

  std::int64_t interval = 1;
  bool print_global_stat_only = false;

  static constexpr auto fields() {
    return std::tuple{
        field("interval", &print::interval, "Print every so many epochs.", Presence::optional,
              "epochs", counted_from_one),
        unimplemented(field("print_global_stat_only", &print::print_global_stat_only,
                            "Of several trainers, print what they have in common only."))};
  }
};

}  // namespace lbann::callbacks
