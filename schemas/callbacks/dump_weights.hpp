// Callback: weights as files.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include "schemas/vocabulary/counts.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

enum class WeightsFormat : std::uint8_t { text, binary, distributed_binary };

struct dump_weights {
  static constexpr std::string_view name = "dump_weights";
  static constexpr std::string_view summary =
      "Writes every weights object before training and at the end of epochs, each to a file: "
      "`<directory>/trainer0/sgd.shared.training_begin.epoch.0.step.0/model0/<name>.txt`, "
      "`<directory>/trainer0/sgd.shared.epoch_end.epoch.<e>.step.<s>/model0/<name>.txt`, ... after "
      "e "
      "epochs and s steps.";

  std::string directory;
  std::int64_t epoch_interval = 1;
  WeightsFormat format = WeightsFormat::text;

  static constexpr auto fields() {
    return std::tuple{
        written_path(field("directory", &dump_weights::directory,
                           "Folder to write, in the folder of the run.", Presence::required)),
        field("epoch_interval", &dump_weights::epoch_interval, "Write every so many epochs.",
              Presence::optional, "epochs", counted_from_one),
        field("format", &dump_weights::format,
              "`text`: rows of numbers, or a number per line of what is no matrix; the others: "
              "NumPy's `.npy`, from one process, since each holds all weights.")};
  }
};

}  // namespace lbann::callbacks

template <>
inline constexpr auto lbann::enum_names<lbann::callbacks::WeightsFormat> =
    std::array<std::string_view, 3>{"text", "binary", "distributed_binary"};
