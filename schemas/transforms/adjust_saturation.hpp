// Transform `adjust_saturation`.
#pragma once

#include <string_view>
#include <tuple>

#include "schemas/transforms/sample_values.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::transforms {

struct adjust_saturation {
  static constexpr std::string_view name = "adjust_saturation";
  static constexpr std::string_view summary = "Changes the saturation.";
  /// Whether it takes values to be bytes, 0 to 255.
  static constexpr bool takes_bytes = true;

  double factor = 1;

  static constexpr auto fields() {
    return std::tuple{field("factor", &adjust_saturation::factor, "Factor of the saturation.",
                            at_least_zero, Presence::required)};
  }

  /// Dims of what it makes of a sample of `dims`; the problem says what it is not made for.
  Result<SampleDims> dims_after(SampleDims const& dims) const;
  void apply(SampleValues& sample, Draws& draws) const;
};

}  // namespace lbann::transforms
