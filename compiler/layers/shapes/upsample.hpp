#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

enum class UpsampleMode : std::uint8_t { nearest };

}  // namespace lbann::compiler::layers

template <>
inline constexpr auto lbann::enum_names<lbann::compiler::layers::UpsampleMode> =
    std::array<std::string_view, 1>{"nearest"};

namespace lbann::compiler::layers {

/// Each entry of spatial axes several times.
struct upsample {
  static constexpr std::string_view name = "upsample";
  static constexpr std::string_view summary = "Each entry of spatial axes repeated.";
  static constexpr std::string_view shapes = "x [c, n...] -> y [c, scale_factors n...]";
  static constexpr std::string_view formula =
      "y[c, p] = x[c, floor(p / scale_factors)]\n"
      "dx[c, q] = sum over p with floor(p / scale_factors) = q: dy[c, p]";
  static constexpr LayerExample example{"x=3x8x8", "- upsample: {parents: x, scale_factors: 2}"};
  static constexpr Arity parents{1, 1}, children{1, 1};

  UpsampleMode upsample_mode = UpsampleMode::nearest;
  std::int64_t num_dims = 0;
  std::vector<std::int64_t> scale_factors;

  static constexpr auto fields() {
    return std::tuple{
        field("upsample_mode", &upsample::upsample_mode,
              "nearest: new entries equal the nearest old one."),
        field("num_dims", &upsample::num_dims, "Number of spatial axes; 0: what the input has.",
              Range{.least = 0, .most = 3}),
        field("scale_factors", &upsample::scale_factors,
              "How many times each entry stands along each spatial axis; one number holds for all.",
              Presence::required, {}, at_least_one)};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
