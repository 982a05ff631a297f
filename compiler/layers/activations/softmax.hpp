#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// What probabilities sum to one over: all entries of a sample, or its channels at each position.
enum class SoftmaxMode : std::uint8_t { instance, channel };

}  // namespace lbann::compiler::layers

template <>
inline constexpr auto lbann::enum_names<lbann::compiler::layers::SoftmaxMode> =
    std::array<std::string_view, 2>{"instance", "channel"};

namespace lbann::compiler::layers {

/// Scores to probabilities that sum to one over all entries of a sample or, with `softmax_mode:
/// channel`, over the first axis.
struct softmax {
  static constexpr std::string_view name = "softmax";
  static constexpr std::string_view summary =
      "Scores to probabilities that sum to one over all entries of a sample.";
  static constexpr std::string_view shapes = "x [n...] -> y [n...]";
  static constexpr std::string_view formula =
      "y[i] = max(exp(x[i]) / sum over j: exp(x[j]), least), j over all entries of the sample\n"
      "with `softmax_mode: channel` over the first axis, at each position of the others\n"
      "least = square root of the smallest normal number: 1.08e-19 (float), 1.49e-154 "
      "(double), as in LBANN\n"
      "dx[i] = y[i] (dy[i] - sum over j: y[j] dy[j]); entries at `least` neither give nor get "
      "any";
  static constexpr LayerExample example{"x=10", "- softmax: {parents: x}"};
  static constexpr auto in_mixed_precision = InMixedPrecision::wide;
  static constexpr Arity parents{1, 1}, children{1, 1};
  static constexpr Values gives = Values::probabilities;

  SoftmaxMode softmax_mode = SoftmaxMode::instance;

  static constexpr auto fields() {
    return std::tuple{field("softmax_mode", &softmax::softmax_mode,
                            "instance: over all entries of a sample; channel: over the first axis, "
                            "at each position of the others.")};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;

  /// Lower clamp of the probabilities, as LBANN's: the square root of the smallest normal number.
  static double minimum(DataType type);
};

}  // namespace lbann::compiler::layers
