#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// The same number in every entry.
struct constant {
  static constexpr std::string_view name = "constant";
  static constexpr std::string_view summary = "The same number in every entry.";
  static constexpr std::string_view shapes = "-> y [num_neurons]";
  static constexpr std::string_view formula = "y = value";
  static constexpr LayerExample example{"", "- constant: {value: 1, num_neurons: [3, 4]}"};
  static constexpr Arity parents{0, 0}, children{1, 1};

  double value = 0;
  std::vector<std::int64_t> num_neurons;

  static constexpr auto fields() {
    return std::tuple{
        field("value", &constant::value, "The number."),
        field("num_neurons", &constant::num_neurons,
              "Dims of the output; left out: those of the `hint_layer`.", at_least_one)};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
