// The same elements under another shape.
#pragma once

#include "schemas/operators/operator.hpp"

namespace lbann::operators {

/// Input x; output the same elements, in C order, with shape `shape`. Moves no data: the output is
/// an alias of the input's memory.
struct reshape {
  static constexpr std::string_view name = "reshape";
  static constexpr std::string_view summary = "The same elements under another shape.";
  static constexpr auto sixteen_bit_inputs = SixteenBitInputs::as_given;

  Shape shape;

  static constexpr auto fields() {
    return std::tuple{field("shape", &reshape::shape, "Shape of the output.", Presence::required)};
  }

  friend bool operator==(reshape const&, reshape const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(reshape const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators
