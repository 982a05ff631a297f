// Transform `sample_normalize`.
#pragma once

#include <string_view>
#include <tuple>

#include "schemas/transforms/sample_values.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::transforms {

struct sample_normalize {
  static constexpr std::string_view name = "sample_normalize";
  static constexpr std::string_view summary = "Gives every sample mean 0 and standard deviation 1.";

  static constexpr auto fields() { return std::tuple<>{}; }

  /// Dims of what it makes of a sample of `dims`; the problem says what it is not made for.
  Result<SampleDims> dims_after(SampleDims const& dims) const;
  void apply(SampleValues& sample, Draws& draws) const;
};

}  // namespace lbann::transforms
