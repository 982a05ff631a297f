// Tensors put one after the other along one axis.
#pragma once

#include "schemas/operators/operator.hpp"

namespace lbann::operators {

/// Inputs equal but for `axis` (batch axis included); output their concatenation.
struct concatenate {
  static constexpr std::string_view name = "concatenate";
  static constexpr std::string_view summary = "Tensors one after the other along one axis.";
  static constexpr auto sixteen_bit_inputs = SixteenBitInputs::narrowed;

  std::int64_t axis = 1;

  static constexpr auto fields() {
    return std::tuple{field("axis", &concatenate::axis, "Axis that grows.")};
  }

  friend bool operator==(concatenate const&, concatenate const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(concatenate const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators
