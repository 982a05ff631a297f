#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Its input, for any number of children; gradients add up.
struct split {
  static constexpr std::string_view name = "split";
  static constexpr std::string_view summary =
      "Its input, for any number of children; gradients add up.";
  static constexpr std::string_view shapes =
      "x [n...] -> y0 [n...], y1 [n...], ..., one for each child";
  static constexpr std::string_view formula =
      "y_i = x\n"
      "dx = sum over i: dy_i";
  static constexpr LayerExample example{"x=3x4",
                                        "- split: {name: both, parents: x}\n"
                                        "- relu: {parents: both.0}\n"
                                        "- tanh: {parents: both.1}"};
  static constexpr Arity parents{1, 1}, children{1, -1};
  static constexpr Values gives = Values::as_input;

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
