// Callback: how many samples each rank has read.
#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/callbacks/references.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct disp_io_stats {
  static constexpr std::string_view name = "disp_io_stats";
  static constexpr std::string_view summary =
      "Logs after each epoch and test how many samples each rank has read.";

  std::vector<std::string> layers;

  static constexpr Reference references[] = {{"layers", Referent::layer}};

  static constexpr auto fields() {
    return std::tuple{field("layers", &disp_io_stats::layers,
                            "Names of input layers, with a line each; one line for all of them if "
                            "left out.")};
  }
};

}  // namespace lbann::callbacks
