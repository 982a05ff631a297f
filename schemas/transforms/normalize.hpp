// Transform `normalize`.
#pragma once

#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/transforms/sample_values.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::transforms {

struct normalize {
  static constexpr std::string_view name = "normalize";
  static constexpr std::string_view summary =
      "Subtracts a mean from each channel and divides by a standard deviation.";

  std::vector<double> means;
  std::vector<double> stddevs;

  static constexpr auto fields() {
    return std::tuple{
        field("means", &normalize::means, "Mean of each channel.", Presence::required),
        field("stddevs", &normalize::stddevs, "Standard deviation of each channel.", above_zero,
              Presence::required)};
  }

  /// Dims of what it makes of a sample of `dims`; the problem says what it is not made for.
  Result<SampleDims> dims_after(SampleDims const& dims) const;
  void apply(SampleValues& sample, Draws& draws) const;
};

}  // namespace lbann::transforms
