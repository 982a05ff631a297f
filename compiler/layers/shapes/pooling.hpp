#pragma once

#include <array>

#include "compiler/layers/shapes/pooling_window.hpp"

namespace lbann::compiler::layers {

/// LBANN's modes. Its `max` may add gradients of overlapping windows in any order on a GPU; here
/// both of them are deterministic.
enum class LayerPoolMode : std::uint8_t { max, average, average_no_pad, max_deterministic };

/// Windows that become one number each.
struct pooling : PoolingWindow {
  static constexpr std::string_view name = "pooling";
  static constexpr std::string_view summary =
      "Largest or mean value of windows that move over the spatial axes.";
  static constexpr std::string_view shapes =
      "x [c, n...] -> y [c, m...]\n"
      "m = floor((n + 2 pool_pads - pool_dims) / pool_strides) + 1";
  static constexpr std::string_view formula =
      "y[c, p] = max, or mean, over k in the window: x[c, pool_strides p + k - pool_pads]\n"
      "max and average_no_pad leave entries outside of x out, average counts them as 0\n"
      "the gradient of a maximum goes to the first entry that equals it\n"
      "LBANN on CPUs takes entries outside of x as 0 for the maximum, too, and has no "
      "average_no_pad";
  static constexpr LayerExample example{"x=16x8x8",
                                        "- pooling: {parents: x, pool_mode: max, pool_dims: 2}"};
  static constexpr Arity parents{1, 1}, children{1, 1};

  LayerPoolMode pool_mode = LayerPoolMode::max;

  static constexpr auto fields() {
    return std::tuple_cat(
        std::tuple{field("pool_mode", &pooling::pool_mode,
                         "max or max_deterministic, which are the same here; average, which counts "
                         "padding; or average_no_pad, which does not.")},
        window_fields(false));
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers

template <>
inline constexpr auto lbann::enum_names<lbann::compiler::layers::LayerPoolMode> =
    std::array<std::string_view, 4>{"max", "average", "average_no_pad", "max_deterministic"};
