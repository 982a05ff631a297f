// Transform `cutout`.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>

#include "schemas/transforms/sample_values.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::transforms {

struct cutout {
  static constexpr std::string_view name = "cutout";
  static constexpr std::string_view summary = "Blackens squares at random places.";
  static constexpr bool is_random = true;

  std::int64_t num_holes = 0;
  std::int64_t length = 0;

  static constexpr auto fields() {
    return std::tuple{field("num_holes", &cutout::num_holes, "Number of squares.", at_least_one,
                            Presence::required),
                      field("length", &cutout::length, "Height and width of a square.",
                            Presence::required, "pixels", at_least_one)};
  }

  /// Dims of what it makes of a sample of `dims`; the problem says what it is not made for.
  Result<SampleDims> dims_after(SampleDims const& dims) const;
  void apply(SampleValues& sample, Draws& draws) const;
};

}  // namespace lbann::transforms
