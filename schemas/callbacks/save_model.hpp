// Callback: weights written at the end.
#pragma once

#include <string>
#include <string_view>
#include <tuple>

#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct save_model {
  static constexpr std::string_view name = "save_model";
  static constexpr std::string_view summary =
      "Writes every weights object as <dir>/<name>.<extension> after training, all or nothing.";

  std::string dir;
  std::string extension = "npy";
  bool disable_save_after_training = false;

  static constexpr auto fields() {
    return std::tuple{
        written_path(field("dir", &save_model::dir,
                           "Folder to write, where the run makes its own folder.",
                           Presence::required)),
        field("extension", &save_model::extension, "End of the file names; NumPy's format."),
        field("disable_save_after_training", &save_model::disable_save_after_training,
              "Do not write at the end of training.")};
  }
};

}  // namespace lbann::callbacks
