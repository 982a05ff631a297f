// Callback: outputs of layers as files.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/callbacks/execution_modes.hpp"
#include "schemas/callbacks/observed_values.hpp"
#include "schemas/callbacks/references.hpp"
#include "schemas/vocabulary/counts.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

enum class OutputsFormat : std::uint8_t { csv, tsv, npy, npz };

struct dump_outputs {
  static constexpr std::string_view name = "dump_outputs";
  static constexpr std::string_view summary = "Writes the outputs of layers, one row per sample.";

  std::vector<std::string> layers;
  std::vector<std::string> execution_modes;
  std::int64_t batch_interval = 1;
  std::string directory;
  OutputsFormat format = OutputsFormat::csv;

  static constexpr Reference references[] = {{"layers", Referent::layer},
                                             {"execution_modes", Referent::phase}};

  static constexpr auto fields() {
    return std::tuple{
        field("layers", &dump_outputs::layers, "Names of layers; all if left out."),
        some_of(field("execution_modes", &dump_outputs::execution_modes,
                      "Phases it acts in; all if left out."),
                execution_mode_words),
        field("batch_interval", &dump_outputs::batch_interval, "Write every so many steps.",
              Presence::optional, "steps", counted_from_one),
        written_path(field(
            "directory", &dump_outputs::directory,
            "Folder to write in: "
            "`<directory>/trainer0/model0/sgd.<phase>.epoch.<e>.step.<s>_<layer>_output<k>.csv`, "
            "in the folder of the run.")),
        field("format", &dump_outputs::format,
              "Format of the files; `npy` and `npz` keep the dims of a sample.")};
  }

  /// Layers whose outputs are the predictions of `lbann-run --predict`; none: it says nothing of
  /// them.
  std::vector<std::string> predicts() const {
    return names_prediction(execution_modes) ? layers : std::vector<std::string>();
  }

  ObservedValues observes() const { return {.outputs = {{layers, execution_modes}}}; }
};

}  // namespace lbann::callbacks

template <>
inline constexpr auto lbann::enum_names<lbann::callbacks::OutputsFormat> =
    std::array<std::string_view, 4>{"csv", "tsv", "npy", "npz"};
