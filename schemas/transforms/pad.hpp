// Transform `pad`.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>

#include "schemas/transforms/sample_values.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::transforms {

struct pad {
  static constexpr std::string_view name = "pad";
  static constexpr std::string_view summary = "Puts a black margin around.";

  std::int64_t pad_ = 0;

  static constexpr auto fields() {
    return std::tuple{field("pad", &pad::pad_, "Width of the margin.", Presence::required, "pixels",
                            at_least_zero)};
  }

  /// Dims of what it makes of a sample of `dims`; the problem says what it is not made for.
  Result<SampleDims> dims_after(SampleDims const& dims) const;
  void apply(SampleValues& sample, Draws& draws) const;
};

}  // namespace lbann::transforms
