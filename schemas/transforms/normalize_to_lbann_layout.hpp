// Transform `normalize_to_lbann_layout`.
#pragma once

#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/transforms/sample_values.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::transforms {

struct normalize_to_lbann_layout {
  static constexpr std::string_view name = "normalize_to_lbann_layout";
  static constexpr std::string_view summary = "Divides bytes by 255, then normalizes each channel.";
  /// Whether it takes values to be bytes, 0 to 255.
  static constexpr bool takes_bytes = true;

  std::vector<double> means;
  std::vector<double> stddevs;

  static constexpr auto fields() {
    return std::tuple{field("means", &normalize_to_lbann_layout::means, "Mean of each channel.",
                            Presence::required),
                      field("stddevs", &normalize_to_lbann_layout::stddevs,
                            "Standard deviation of each channel.", above_zero, Presence::required)};
  }

  /// Dims of what it makes of a sample of `dims`; the problem says what it is not made for.
  Result<SampleDims> dims_after(SampleDims const& dims) const;
  void apply(SampleValues& sample, Draws& draws) const;
};

}  // namespace lbann::transforms
