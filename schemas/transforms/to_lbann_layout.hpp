// Transform `to_lbann_layout`.
#pragma once

#include <string_view>
#include <tuple>

#include "schemas/transforms/sample_values.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::transforms {

struct to_lbann_layout {
  static constexpr std::string_view name = "to_lbann_layout";
  static constexpr std::string_view summary = "Divides bytes by 255.";
  /// Whether it takes values to be bytes, 0 to 255.
  static constexpr bool takes_bytes = true;

  static constexpr auto fields() { return std::tuple<>{}; }

  /// Dims of what it makes of a sample of `dims`; the problem says what it is not made for.
  Result<SampleDims> dims_after(SampleDims const& dims) const;
  void apply(SampleValues& sample, Draws& draws) const;
};

}  // namespace lbann::transforms
