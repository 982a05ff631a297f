// Callback: weights read before the first step.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/callbacks/model_view.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

/// Later folders and files take precedence. Weights that none has are an error unless `partial`;
/// arrays that no weights take are named in the log.
struct load_model {
  static constexpr std::string_view name = "load_model";
  static constexpr std::string_view summary =
      "Reads weights before training, by their names or by those of PyTorch.";

  std::vector<std::string> dirs;
  std::string extension = "npy";
  bool partial = false;
  std::vector<std::string> rename = {};

  static constexpr auto fields() {
    return std::tuple{
        path(field("dirs", &load_model::dirs,
                   "Folders as save_model writes them, `.npz` or `.safetensors` files; relative "
                   "ones are looked up in `--data-root`, in the working directory, then in "
                   "`--work-dir`: `latest/model` is of the newest run there.",
                   Presence::required)),
        field("extension", &load_model::extension,
              "End of the file names in a folder; NumPy's format."),
        field("partial", &load_model::partial,
              "Leave weights that none has at their initial values instead of stopping; it is an "
              "error if none has any."),
        pairs(
            field("rename", &load_model::rename,
                  "Rules `old -> new` for names in folders and files, or a mapping of old names to "
                  "new ones; the first that matches counts; one `*` on both sides stands for the "
                  "same text."),
            " -> ")};
  }

  void check(Findings& findings) const;
};

}  // namespace lbann::callbacks
