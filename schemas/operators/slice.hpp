// Pieces of a tensor along one axis.
#pragma once

#include "schemas/operators/operator.hpp"

namespace lbann::operators {

/// Input x; output i is x[points[i] : points[i + 1]] along `axis` of the tensor (batch axis
/// included). The points need not cover the axis. Without gaps the gradient is a concatenation.
struct slice {
  static constexpr std::string_view name = "slice";
  static constexpr std::string_view summary = "Pieces of a tensor along one axis.";
  static constexpr auto sixteen_bit_inputs = SixteenBitInputs::as_given;

  std::int64_t axis = 1;
  std::vector<std::int64_t> points;

  static constexpr auto fields() {
    return std::tuple{
        field("axis", &slice::axis, "Axis that is cut."),
        field("points", &slice::points, "Bounds of the pieces, ascending.", Presence::required)};
  }

  friend bool operator==(slice const&, slice const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(slice const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators
