// Callback: weights read before the first step.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

/// Later folders take precedence. Weights that no folder has are an error unless `partial`; files
/// that no weights have are ignored.
struct load_model {
  static constexpr std::string_view name = "load_model";
  static constexpr std::string_view summary =
      "Reads weights as save_model writes them, before training.";

  std::vector<std::string> dirs;
  std::string extension = "npy";
  bool partial = false;

  static constexpr auto fields() {
    return std::tuple{
        path(field("dirs", &load_model::dirs,
                   "Folders to read; relative ones are looked up in `--data-root`, in the working "
                   "directory, then beside the folder of the run.",
                   Presence::required)),
        field("extension", &load_model::extension, "End of the file names; NumPy's format."),
        field("partial", &load_model::partial,
              "Leave weights that no folder has at their initial values instead of stopping.")};
  }
};

}  // namespace lbann::callbacks
