// Transform `normalize`, declared but not built.
#pragma once

#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/vocabulary/field.hpp"

namespace lbann::transforms {

struct normalize {
  static constexpr std::string_view name = "normalize";
  static constexpr std::string_view summary =
      "Subtracts a mean from each channel and divides by a standard deviation.";
  static constexpr Support support = Support::unimplemented;

  std::vector<double> means;
  std::vector<double> stddevs;

  static constexpr auto fields() {
    return std::tuple{
        field("means", &normalize::means, "Mean of each channel.", Presence::required),
        field("stddevs", &normalize::stddevs, "Standard deviation of each channel.", above_zero,
              Presence::required)};
  }
};

}  // namespace lbann::transforms
