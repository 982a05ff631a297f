// Axes in another order.
#pragma once

#include "schemas/operators/operator.hpp"

namespace lbann::operators {

/// Input x; output y whose axis i is axis `axes[i]` of x (batch axis included). The gradient is the
/// inverse permutation.
struct permute {
  static constexpr std::string_view name = "permute";
  static constexpr std::string_view summary = "Axes in another order.";
  static constexpr auto sixteen_bit_inputs = SixteenBitInputs::as_given;

  std::vector<std::int64_t> axes;

  static constexpr auto fields() {
    return std::tuple{field("axes", &permute::axes, "Axis of the input for each of the output.",
                            Presence::required)};
  }

  friend bool operator==(permute const&, permute const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(permute const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators
