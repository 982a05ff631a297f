// Transform `horizontal_flip`.
#pragma once

#include <string_view>
#include <tuple>

#include "schemas/transforms/sample_values.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::transforms {

struct horizontal_flip {
  static constexpr std::string_view name = "horizontal_flip";
  static constexpr std::string_view summary = "Mirrors left and right at random.";
  static constexpr bool is_random = true;

  double p = 0;

  static constexpr auto fields() {
    return std::tuple{
        field("p", &horizontal_flip::p, "How likely.", zero_to_one, Presence::required)};
  }

  /// Dims of what it makes of a sample of `dims`; the problem says what it is not made for.
  Result<SampleDims> dims_after(SampleDims const& dims) const;
  void apply(SampleValues& sample, Draws& draws) const;
};

}  // namespace lbann::transforms
