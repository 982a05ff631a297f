// Index of the largest entry of each sample.
#pragma once

#include "schemas/operators/operator.hpp"

namespace lbann::operators {

/// Input x [batch, ...]; output [batch, 1] of i64: flat index in the sample of its largest entry,
/// the first of equals. No gradient.
struct argmax {
  static constexpr std::string_view name = "argmax";
  static constexpr std::string_view summary = "Index of the largest entry of each sample.";

  static constexpr auto fields() { return std::tuple<>{}; }

  friend bool operator==(argmax const&, argmax const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(argmax const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators
