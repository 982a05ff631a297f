// Callback: what is read for each mini-batch.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/callbacks/execution_modes.hpp"
#include "schemas/callbacks/references.hpp"
#include "schemas/vocabulary/counts.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct debug_io {
  static constexpr std::string_view name = "debug_io";
  static constexpr std::string_view summary =
      "Prints when a pass over data begins and which samples each mini-batch has, on every rank.";

  std::vector<std::string> phase;
  std::int64_t lvl = 0;

  static constexpr Reference references[] = {{"phase", Referent::phase}};

  static constexpr auto fields() {
    return std::tuple{
        some_of(field("phase", &debug_io::phase, "Phases it prints in; all if left out."),
                execution_mode_words),
        field("lvl", &debug_io::lvl, "0: passes alone; 1 and more: mini-batches too.",
              Range{.least = 0, .most = 9})};
  }
};

}  // namespace lbann::callbacks
