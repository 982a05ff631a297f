// Entries along the last axis in order, and where they stood.
#pragma once

#include "schemas/operators/operator.hpp"

namespace lbann::operators {

/// Input x [..., n]; outputs the entries along the last axis in ascending (or descending) order, of
/// x's type, and for each of them its index before, i64. Equals keep their order; NaN come last.
/// The gradient goes back to where the entries stood.
struct sort {
  static constexpr std::string_view name = "sort";
  static constexpr std::string_view summary = "Entries along the last axis in order.";

  bool descending = false;

  static constexpr auto fields() {
    return std::tuple{field("descending", &sort::descending, "Largest first.")};
  }

  friend bool operator==(sort const&, sort const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(sort const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators
