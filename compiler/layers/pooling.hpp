// The layer `pooling`.
#pragma once

#include <array>

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// LBANN's modes. Its `max` may add gradients of overlapping windows in any order on a GPU; here
/// both of them are deterministic.
enum class LayerPoolMode : std::uint8_t { max, average, average_no_pad, max_deterministic };

/// Input [c, spatial...]; output [c, spatial'...] with spatial' = floor((spatial + 2 pool_pads -
/// pool_dims) / pool_strides) + 1. max ignores the margin.
struct pooling {
  static constexpr std::string_view name = "pooling";
  static constexpr std::string_view summary =
      "Largest or mean value of windows that move over the spatial axes.";
  static constexpr Arity parents{1, 1}, children{1, 1};

  LayerPoolMode pool_mode = LayerPoolMode::max;
  std::int64_t num_dims = 0;
  std::vector<std::int64_t> pool_dims;
  std::vector<std::int64_t> pool_strides;
  std::vector<std::int64_t> pool_pads = {0};

  static constexpr auto fields() {
    return std::tuple{
        field("pool_mode", &pooling::pool_mode,
              "max or max_deterministic, which are the same here; average, which counts padding; or "
              "average_no_pad, which does not."),
        field("num_dims", &pooling::num_dims, "Number of spatial axes; 0: what the input has.",
              Range{.least = 0, .most = 3}),
        field("pool_dims", &pooling::pool_dims,
              "Extent of the window along each spatial axis; one number holds for all.",
              Presence::required, {}, at_least_one),
        field("pool_strides", &pooling::pool_strides,
              "Step of the window along each spatial axis; one number holds for all; left out: the "
              "window's extent.",
              at_least_one),
        field("pool_pads", &pooling::pool_pads,
              "Margin on both sides of each spatial axis; one number holds for all.",
              at_least_zero)};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers

template <>
inline constexpr auto lbann::enum_names<lbann::compiler::layers::LayerPoolMode> =
    std::array<std::string_view, 4>{"max", "average", "average_no_pad", "max_deterministic"};
