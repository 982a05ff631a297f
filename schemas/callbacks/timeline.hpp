// Callback: when each rank did what.
#pragma once

#include <string>
#include <string_view>
#include <tuple>

#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct timeline {
  static constexpr std::string_view name = "timeline";
  static constexpr std::string_view summary =
      "Writes when each rank worked on which layers and weights, a text file for each rank.";

  std::string directory;

  static constexpr auto fields() {
    return std::tuple{written_path(field(
        "directory", &timeline::directory,
        "Folder to write in, in the folder of the run: "
        "`<directory>/timeline.m<trainer>.<rank>.txt` "
        "with lines `fp-<layer>:<begin>:<end>`, in seconds since training began. `bp-` stands for "
        "gradients, and for updates that are one instruction with them, `opt-` for others."))};
  }
};

}  // namespace lbann::callbacks
