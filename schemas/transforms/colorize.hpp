// Transform `colorize`.
#pragma once

#include <string_view>
#include <tuple>

#include "schemas/transforms/sample_values.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::transforms {

struct colorize {
  static constexpr std::string_view name = "colorize";
  static constexpr std::string_view summary = "Makes three channels of one.";

  static constexpr auto fields() { return std::tuple<>{}; }

  /// Dims of what it makes of a sample of `dims`; the problem says what it is not made for.
  Result<SampleDims> dims_after(SampleDims const& dims) const;
  void apply(SampleValues& sample, Draws& draws) const;
};

}  // namespace lbann::transforms
