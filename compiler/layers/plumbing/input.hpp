#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// A data field of the mini-batch, e.g. samples or labels.
struct input {
  static constexpr std::string_view name = "input";
  static constexpr std::string_view summary =
      "A data field of the mini-batch, e.g. samples or labels.";
  static constexpr std::string_view shapes = "-> y [dims of the data field]";
  static constexpr std::string_view formula = "y = the data field of each sample";
  static constexpr LayerExample example{"", "- input: {name: images, data_field: samples}"};
  static constexpr Arity parents{0, 0}, children{1, 1};

  std::string data_field;

  static constexpr auto fields() {
    return std::tuple{field("data_field", &input::data_field,
                            "Field of the data reader, e.g. samples, labels, responses.",
                            Presence::required)};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
