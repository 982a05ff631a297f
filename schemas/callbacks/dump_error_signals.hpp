// Callback: gradients of outputs as files.
#pragma once

#include <string>
#include <string_view>
#include <tuple>

#include "schemas/callbacks/observed_values.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct dump_error_signals {
  static constexpr std::string_view name = "dump_error_signals";
  static constexpr std::string_view summary =
      "Writes the gradient of the objective with respect to every layer's outputs, a row for each "
      "sample, after every step of training: files "
      "`<basename>model0-epoch<e>-step<s>-<layer>-ErrorSignal<k>.txt`.";

  std::string basename;

  static constexpr auto fields() {
    return std::tuple{
        written_path(field("basename", &dump_error_signals::basename,
                           "Beginning of the file names, in the folder of the run."))};
  }

  ObservedValues observes() const { return {.error_signals = true}; }
};

}  // namespace lbann::callbacks
