// The layer `dft_abs`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Input [c, spatial...] with one to three spatial axes; output of the same dims: for each channel
/// the absolute value of its discrete Fourier transform over all spatial axes, not scaled. The
/// gradient is 0 where the output is 0.
struct dft_abs {
  static constexpr std::string_view name = "dft_abs";
  static constexpr std::string_view summary =
      "Absolute values of the discrete Fourier transform of each channel.";
  static constexpr Arity parents{1, 1}, children{1, 1};

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
