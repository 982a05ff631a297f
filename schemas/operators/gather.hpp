// Entries along an axis, named by indices.
#pragma once

#include "schemas/operators/operator.hpp"

namespace lbann::operators {

/// Inputs values [batch..., outer..., n, inner...] and indices [batch..., picks...] (i32, i64, or
/// floating, then rounded down); output [batch..., outer..., picks..., inner...] of the values'
/// type: y[b, o, p, i] = values[b, o, indices[b, p], i], and 0 where an index lies outside of
/// [0, n) or is NaN. `batch_axes` axes come first in both inputs; `axis` of the values has n
/// entries. The gradient of the values is a scatter; indices have none.
struct gather {
  static constexpr std::string_view name = "gather";
  static constexpr std::string_view summary = "Entries along an axis, named by indices.";

  std::int64_t axis = 1;
  std::int64_t batch_axes = 1;

  static constexpr auto fields() {
    return std::tuple{
        field("axis", &gather::axis, "Axis of the values that indices name entries of."),
        field("batch_axes", &gather::batch_axes, "First axes that both inputs have.")};
  }

  friend bool operator==(gather const&, gather const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(gather const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators
