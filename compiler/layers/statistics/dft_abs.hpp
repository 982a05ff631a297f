#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Absolute values of the discrete Fourier transform of each channel, not scaled.
struct dft_abs {
  static constexpr std::string_view name = "dft_abs";
  static constexpr std::string_view summary =
      "Absolute values of the discrete Fourier transform of each channel.";
  static constexpr std::string_view shapes = "x [c, n...] -> y [c, n...], one to three axes n";
  static constexpr std::string_view formula =
      "y[c, k] = |sum over j: x[c, j] exp(-2 pi i (j . k / n))|, j . k / n summed over the "
      "axes n\n"
      "where y is 0 its gradient is, too";
  static constexpr LayerExample example{"x=3x8x8", "- dft_abs: {parents: x}"};
  static constexpr Arity parents{1, 1}, children{1, 1};

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
