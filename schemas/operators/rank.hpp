// How many entries of a sample come before a given one when sorted downwards.
#pragma once

#include "schemas/operators/operator.hpp"

namespace lbann::operators {

/// Inputs x [batch, ...], index [batch, 1] of i64; output [batch, 1] of i64: number of entries that
/// are larger than the indexed one, or equal and at a smaller index. No gradient.
struct rank {
  static constexpr std::string_view name = "rank";
  static constexpr std::string_view summary =
      "Place of an entry among those of its sample, largest first.";

  static constexpr auto fields() { return std::tuple<>{}; }

  friend bool operator==(rank const&, rank const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(rank const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators
