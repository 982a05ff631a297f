// Callback: gradients of weights as files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include "schemas/callbacks/observed_values.hpp"
#include "schemas/vocabulary/counts.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct dump_gradients {
  static constexpr std::string_view name = "dump_gradients";
  static constexpr std::string_view summary =
      "Writes the gradients of all weights that are trained, after steps of training: files "
      "`<basename>model0-epoch<e>-step<s>-<weights>-Gradient.txt`.";

  std::string basename;
  std::int64_t interval = 1;

  static constexpr auto fields() {
    return std::tuple{written_path(field("basename", &dump_gradients::basename,
                                         "Beginning of the file names, in the folder of the run.")),
                      field("interval", &dump_gradients::interval, "Write every so many steps.",
                            Presence::optional, "steps", counted_from_one)};
  }

  ObservedValues observes() const { return {.gradients = true}; }
};

}  // namespace lbann::callbacks
