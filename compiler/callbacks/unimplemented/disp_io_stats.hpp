// Callback `disp_io_stats`, accepted without effect.
#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct disp_io_stats {
  static constexpr std::string_view name = "disp_io_stats";
  static constexpr std::string_view summary = "Prints how much input layers have read.";
  static constexpr Support support = Support::ignored;
  static constexpr std::string_view reason =
      "it prints what LBANN's readers did; the log tells how long steps wait for samples";

  std::vector<std::string> layers;

  static constexpr auto fields() {
    return std::tuple{
        field("layers", &disp_io_stats::layers, "Names of input layers; all if left out.")};
  }
};

}  // namespace lbann::callbacks
