// Parts of a tensor put together on all ranks along mesh axes.
#pragma once

#include "schemas/operators/operator.hpp"

namespace lbann::operators {

/// Input x, split over the mesh axes named; output all of x on each of their ranks.
struct all_gather {
  static constexpr std::string_view name = "all_gather";
  static constexpr std::string_view summary =
      "All parts of a tensor on every rank along mesh axes.";

  std::vector<std::string> mesh_axes;

  static constexpr auto fields() {
    return std::tuple{field("mesh_axes", &all_gather::mesh_axes,
                            "Axes of the mesh whose ranks exchange parts.", Presence::required)};
  }

  friend bool operator==(all_gather const&, all_gather const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(all_gather const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators
