// Transform `random_resized_crop`.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>

#include "schemas/transforms/sample_values.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::transforms {

struct random_resized_crop {
  static constexpr std::string_view name = "random_resized_crop";
  static constexpr std::string_view summary =
      "Cuts out a part of random size and place, and resizes it.";
  static constexpr bool is_random = true;

  std::int64_t height = 0;
  std::int64_t width = 0;
  double scale_min = 0.08;
  double scale_max = 1;
  double ar_min = 0.75;
  double ar_max = 4.0 / 3;

  static constexpr auto fields() {
    return std::tuple{
        field("height", &random_resized_crop::height, "Height of the result.", Presence::required,
              "pixels", at_least_one),
        field("width", &random_resized_crop::width, "Width of the result.", Presence::required,
              "pixels", at_least_one),
        field("scale_min", &random_resized_crop::scale_min, "Least part of the area.", zero_to_one),
        field("scale_max", &random_resized_crop::scale_max, "Largest part of the area.",
              zero_to_one),
        field("ar_min", &random_resized_crop::ar_min, "Least ratio of width to height.",
              above_zero),
        field("ar_max", &random_resized_crop::ar_max, "Largest ratio of width to height.",
              above_zero)};
  }

  /// Dims of what it makes of a sample of `dims`; the problem says what it is not made for.
  Result<SampleDims> dims_after(SampleDims const& dims) const;
  void apply(SampleValues& sample, Draws& draws) const;
};

}  // namespace lbann::transforms
