#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// x, but not below `min` nor above `max`; there its gradient is 0.
struct clamp : elementwise<clamp, 1> {
  static constexpr std::string_view name = "clamp";
  static constexpr std::string_view summary = "x, but not below `min` nor above `max`.";

  double min = 0;
  double max = 1;

  static constexpr auto fields() {
    return std::tuple{field("min", &clamp::min, "The smallest output."),
                      field("max", &clamp::max, "The largest output.")};
  }

  /// Reports it if `min` is above `max`.
  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  Term value(Term x) const {
    auto const below = of(Function::less_equal, x, min);
    auto const above = of(Function::less_equal, max, x);
    return of(Function::select, below, min, of(Function::select, above, max, x));
  }
};

}  // namespace lbann::compiler::layers
