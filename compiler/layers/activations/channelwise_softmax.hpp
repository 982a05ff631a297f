#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Scores to probabilities that sum to one over all axes but `dim`, which is the first or the last,
/// or, with `single_dim_mode`, over `dim` alone.
struct channelwise_softmax {
  static constexpr std::string_view name = "channelwise_softmax";
  static constexpr std::string_view summary =
      "Scores to probabilities that sum to one over each channel of a sample.";
  static constexpr std::string_view shapes = "x [n...] -> y [n...]";
  static constexpr std::string_view formula =
      "y[i] = exp(x[i]) / sum over j: exp(x[j]), j over all entries with the index of i along "
      "`dim`\n"
      "with `single_dim_mode` over all entries that differ from i along `dim` only";
  static constexpr LayerExample example{"x=4x6", "- channelwise_softmax: {parents: x}"};
  static constexpr auto in_mixed_precision = InMixedPrecision::wide;
  static constexpr Arity parents{1, 1}, children{1, 1};
  static constexpr Values gives = Values::probabilities;

  std::int64_t dim = 0;
  bool single_dim_mode = false;

  static constexpr auto fields() {
    return std::tuple{field("dim", &channelwise_softmax::dim,
                            "The axis of channels; negative: counted from the last."),
                      field("single_dim_mode", &channelwise_softmax::single_dim_mode,
                            "Sum to one over that axis instead of over all others.")};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
