// Transform `random_affine`.
#pragma once

#include <string_view>
#include <tuple>

#include "schemas/transforms/sample_values.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::transforms {

struct random_affine {
  static constexpr std::string_view name = "random_affine";
  static constexpr std::string_view summary = "Turns, moves, scales and shears at random.";
  static constexpr bool is_random = true;

  double rotate_min = 0;
  double rotate_max = 0;
  double translate_h = 0;
  double translate_w = 0;
  double scale_min = 0;
  double scale_max = 0;
  double shear_min = 0;
  double shear_max = 0;

  static constexpr auto fields() {
    return std::tuple{
        field("rotate_min", &random_affine::rotate_min, "Least angle.", Presence::optional,
              "degrees"),
        field("rotate_max", &random_affine::rotate_max, "Largest angle.", Presence::optional,
              "degrees"),
        field("translate_h", &random_affine::translate_h,
              "Largest move along the height, as part of it.", zero_to_one),
        field("translate_w", &random_affine::translate_w,
              "Largest move along the width, as part of it.", zero_to_one),
        field("scale_min", &random_affine::scale_min, "Least factor; no scaling if both are 0.",
              at_least_zero),
        field("scale_max", &random_affine::scale_max, "Largest factor.", at_least_zero),
        field("shear_min", &random_affine::shear_min, "Least angle of the shear.",
              Presence::optional, "degrees"),
        field("shear_max", &random_affine::shear_max, "Largest angle of the shear.",
              Presence::optional, "degrees")};
  }

  /// Dims of what it makes of a sample of `dims`; the problem says what it is not made for.
  Result<SampleDims> dims_after(SampleDims const& dims) const;
  void apply(SampleValues& sample, Draws& draws) const;
};

}  // namespace lbann::transforms
