// Callback `debug_io`, accepted without effect.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct debug_io {
  static constexpr std::string_view name = "debug_io";
  static constexpr std::string_view summary = "Prints what data readers do.";
  static constexpr Support support = Support::ignored;
  static constexpr std::string_view reason =
      "it prints calls of LBANN's readers; the log tells how long steps wait for samples";

  std::vector<std::string> phase;
  std::int64_t lvl = 0;

  static constexpr auto fields() {
    return std::tuple{field("phase", &debug_io::phase,
                            "Phases it prints in: train, validation, test; all if left out."),
                      field("lvl", &debug_io::lvl, "How much is printed.", at_least_zero)};
  }
};

}  // namespace lbann::callbacks
