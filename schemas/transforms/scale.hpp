// Transform `scale`.
#pragma once

#include <string_view>
#include <tuple>

#include "schemas/transforms/sample_values.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::transforms {

struct scale {
  static constexpr std::string_view name = "scale";
  static constexpr std::string_view summary = "Multiplies every number.";

  double scale_ = 1;

  static constexpr auto fields() {
    return std::tuple{field("scale", &scale::scale_, "The factor.", Presence::required)};
  }

  /// Dims of what it makes of a sample of `dims`; the problem says what it is not made for.
  Result<SampleDims> dims_after(SampleDims const& dims) const;
  void apply(SampleValues& sample, Draws& draws) const;
};

}  // namespace lbann::transforms
