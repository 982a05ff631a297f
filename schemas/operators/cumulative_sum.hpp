// Sums of the entries up to each entry, along the last axis.
#pragma once

#include "schemas/operators/operator.hpp"

namespace lbann::operators {

/// Input x [..., n] of floating-point numbers; output of x's type and shape: y[j] is the sum of
/// x[0] to x[j], or of x[j] to x[n - 1] if `reverse` is set. Sums are taken in f64. The gradient is
/// the same sum in the other direction.
struct cumulative_sum {
  static constexpr std::string_view name = "cumulative_sum";
  static constexpr std::string_view summary = "Sums up to each entry along the last axis.";

  bool reverse = false;

  static constexpr auto fields() {
    return std::tuple{field("reverse", &cumulative_sum::reverse, "Sums from each entry on.")};
  }

  friend bool operator==(cumulative_sum const&, cumulative_sum const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(cumulative_sum const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators
