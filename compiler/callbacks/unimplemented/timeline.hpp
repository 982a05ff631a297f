// Callback `timeline`, declared but not built.
#pragma once

#include <string>
#include <string_view>
#include <tuple>

#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct timeline {
  static constexpr std::string_view name = "timeline";
  static constexpr std::string_view summary = "Writes when each rank did what.";
  static constexpr Support support = Support::unimplemented;

  std::string directory;

  static constexpr auto fields() {
    return std::tuple{written_path(field("directory", &timeline::directory,
                                         "Folder to write; the working directory if left out."))};
  }
};

}  // namespace lbann::callbacks
