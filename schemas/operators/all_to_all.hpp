// A tensor split over other dimensions or mesh axes than before.
#pragma once

#include "schemas/operators/operator.hpp"

namespace lbann::operators {

/// Input x, output the same values distributed as the output tensor says. `mesh_axes`: those along
/// which ranks exchange parts. A rank that holds all it needs sends and receives nothing.
struct all_to_all {
  static constexpr std::string_view name = "all_to_all";
  static constexpr std::string_view summary =
      "The same tensor, split otherwise over the ranks along mesh axes.";

  std::vector<std::string> mesh_axes;

  static constexpr auto fields() {
    return std::tuple{field("mesh_axes", &all_to_all::mesh_axes,
                            "Axes of the mesh whose ranks exchange parts.", Presence::required)};
  }

  friend bool operator==(all_to_all const&, all_to_all const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(all_to_all const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators
