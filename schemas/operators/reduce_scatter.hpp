// Sum of a tensor over the ranks along mesh axes, of which each rank keeps its part.
#pragma once

#include "schemas/operators/operator.hpp"

namespace lbann::operators {

/// Input x, a partial sum over the mesh axes named; output the sum, of which each of their ranks
/// holds its part of `dimension`.
struct reduce_scatter {
  static constexpr std::string_view name = "reduce_scatter";
  static constexpr std::string_view summary =
      "Sum over the ranks along mesh axes, a part of which stays on each.";

  std::vector<std::string> mesh_axes;
  std::int64_t dimension = 0;

  static constexpr auto fields() {
    return std::tuple{
        field("mesh_axes", &reduce_scatter::mesh_axes, "Axes of the mesh summed over.",
              Presence::required),
        field("dimension", &reduce_scatter::dimension, "Dimension that is split over them.")};
  }

  friend bool operator==(reduce_scatter const&, reduce_scatter const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(reduce_scatter const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators
