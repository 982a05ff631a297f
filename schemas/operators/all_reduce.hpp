// Sum of a tensor over the ranks along mesh axes.
#pragma once

#include "schemas/operators/operator.hpp"

namespace lbann::operators {

/// Input x, a partial sum over the mesh axes named; output the sum, the same on all of their ranks.
struct all_reduce {
  static constexpr std::string_view name = "all_reduce";
  static constexpr std::string_view summary = "Sum over the ranks along mesh axes.";

  std::vector<std::string> mesh_axes;

  static constexpr auto fields() {
    return std::tuple{field("mesh_axes", &all_reduce::mesh_axes, "Axes of the mesh summed over.",
                            Presence::required)};
  }

  friend bool operator==(all_reduce const&, all_reduce const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(all_reduce const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators
