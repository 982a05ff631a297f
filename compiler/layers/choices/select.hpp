#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// One of two, by a third.
struct select {
  static constexpr std::string_view name = "select";
  static constexpr std::string_view summary =
      "The second input where the first is a certain value, else the third.";
  static constexpr std::string_view shapes = "p [n...], a [n...], b [n...] -> y [n...]";
  static constexpr std::string_view formula =
      "y = a if |p - value| < epsilon, else b\n"
      "with `constant_if_true` a is value_if_true, with `constant_if_false` b is "
      "value_if_false; such inputs are left out\n"
      "dp = 0";
  static constexpr LayerExample example{"condition=4 a=4 b=4",
                                        "- select: {parents: [condition, a, b], value: 1}"};
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
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
