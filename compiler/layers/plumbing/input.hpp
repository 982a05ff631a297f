#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// What has a mean and a deviation of its own.
enum class Standardization : std::uint8_t { none, channels, entries };

}  // namespace lbann::compiler::layers

template <>
inline constexpr auto lbann::enum_names<lbann::compiler::layers::Standardization> =
    std::array<std::string_view, 3>{"none", "channels", "entries"};

namespace lbann::compiler::layers {

/// A data field of the mini-batch, e.g. samples or labels.
struct input {
  static constexpr std::string_view name = "input";
  static constexpr std::string_view summary =
      "A data field of the mini-batch, e.g. samples or labels.";
  static constexpr std::string_view shapes = "-> y [dims of the data field]";
  static constexpr std::string_view formula =
      "y = the data field of each sample; standardised: (data - mean) / deviation";
  static constexpr LayerExample example{"", "- input: {name: images, data_field: samples}"};
  static constexpr auto in_mixed_precision = InMixedPrecision::wide;
  static constexpr Arity parents{0, 0}, children{1, 1};

  std::string data_field;
  Standardization standardize = Standardization::none;

  static constexpr auto fields() {
    return std::tuple{
        field("data_field", &input::data_field,
              "Field of the data reader, e.g. samples, labels, responses.", Presence::required),
        field(
            "standardize", &input::standardize,
            "Subtract the mean of the training samples and divide by their standard deviation: of "
            "each of the `channels` (first axis), or of all `entries` of a sample. Both are "
            "weights that are not trained, taken from the data before the first step and saved "
            "with the model.")};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  /// Mean and deviation, where it standardises.
  std::vector<WeightsRole> weights(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
