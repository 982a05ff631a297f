// Callback: a rank that waits for a debugger.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>

#include "schemas/vocabulary/counts.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct hang {
  static constexpr std::string_view name = "hang";
  static constexpr std::string_view summary =
      "Waits at the begin of training until a debugger lets it go on.";

  std::int64_t rank = -1;

  static constexpr auto fields() {
    return std::tuple{field("rank", &hang::rank, "The rank of the trainer that waits; all if -1.",
                            counted_or_last)};
  }
};

}  // namespace lbann::callbacks
