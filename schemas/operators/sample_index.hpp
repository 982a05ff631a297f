// The place of each sample.
#pragma once

#include "schemas/operators/operator.hpp"

namespace lbann::operators {

/// Input: the index of this rank's first sample in the current pass over the data (an i64 scalar).
/// Output [batch], i64: the index of each sample in that pass.
struct sample_index {
  static constexpr std::string_view name = "sample_index";
  static constexpr std::string_view summary = "The place in the pass of each sample.";

  static constexpr auto fields() { return std::tuple<>{}; }

  friend bool operator==(sample_index const&, sample_index const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(sample_index const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators
