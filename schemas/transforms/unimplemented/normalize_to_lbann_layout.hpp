// Transform `normalize_to_lbann_layout`, declared but not built.
#pragma once

#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/vocabulary/field.hpp"

namespace lbann::transforms {

struct normalize_to_lbann_layout {
  static constexpr std::string_view name = "normalize_to_lbann_layout";
  static constexpr std::string_view summary = "Divides bytes by 255, then normalizes each channel.";
  static constexpr Support support = Support::unimplemented;

  std::vector<double> means;
  std::vector<double> stddevs;

  static constexpr auto fields() {
    return std::tuple{field("means", &normalize_to_lbann_layout::means, "Mean of each channel.",
                            Presence::required),
                      field("stddevs", &normalize_to_lbann_layout::stddevs,
                            "Standard deviation of each channel.", above_zero, Presence::required)};
  }
};

}  // namespace lbann::transforms
