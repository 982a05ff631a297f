// Transform `center_crop`.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>

#include "schemas/transforms/sample_values.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::transforms {

struct center_crop {
  static constexpr std::string_view name = "center_crop";
  static constexpr std::string_view summary = "Cuts out the middle.";

  std::int64_t height = 0;
  std::int64_t width = 0;

  static constexpr auto fields() {
    return std::tuple{field("height", &center_crop::height, "Height of the result.",
                            Presence::required, "pixels", at_least_one),
                      field("width", &center_crop::width, "Width of the result.",
                            Presence::required, "pixels", at_least_one)};
  }

  /// Dims of what it makes of a sample of `dims`; the problem says what it is not made for.
  Result<SampleDims> dims_after(SampleDims const& dims) const;
  void apply(SampleValues& sample, Draws& draws) const;
};

}  // namespace lbann::transforms
