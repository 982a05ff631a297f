// The layer `select`.
#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// a where |p - value| < epsilon, else b. Parents: p, then those of a and b that are not constants.
/// No gradient passes to p.
struct select {
  static constexpr std::string_view name = "select";
  static constexpr std::string_view summary =
      "The second input where the first is a certain value, else the third.";
  static constexpr Arity parents{1, 3}, children{1, 1};

  double value = 0;
  double epsilon = 1e-5;
  bool constant_if_true = false;
  bool constant_if_false = false;
  double value_if_true = 0;
  double value_if_false = 0;

  static constexpr auto fields() {
    return std::tuple{field("value", &select::value,
                            "The value of the first input that means true.", Presence::required),
                      field("epsilon", &select::epsilon,
                            "Distance from `value` that does not mean true any more.", above_zero),
                      field("constant_if_true", &select::constant_if_true,
                            "Take `value_if_true` instead of the second input, which is left out."),
                      field("constant_if_false", &select::constant_if_false,
                            "Take `value_if_false` instead of the last input, which is left out."),
                      field("value_if_true", &select::value_if_true,
                            "The output where true, with `constant_if_true`."),
                      field("value_if_false", &select::value_if_false,
                            "The output where false, with `constant_if_false`.")};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
