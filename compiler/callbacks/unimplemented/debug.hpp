// Callback `debug`, accepted without effect.
#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct debug {
  static constexpr std::string_view name = "debug";
  static constexpr std::string_view summary =
      "Prints a line at the begin and end of each layer's work.";
  static constexpr Support support = Support::ignored;
  static constexpr std::string_view reason =
      "it prints calls of LBANN's layers; `--trace` of lbann-run tells when each instruction ran";

  std::vector<std::string> phase;

  static constexpr auto fields() {
    return std::tuple{field("phase", &debug::phase,
                            "Phases it prints in: train, validation, test; all if left out.")};
  }
};

}  // namespace lbann::callbacks
