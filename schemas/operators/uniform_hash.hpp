// Each number's hash as a number in [0, 1).
#pragma once

#include "schemas/operators/operator.hpp"

namespace lbann::operators {

/// Input x (f32 or f64); output of x's type and shape: the MD5 digest of each number's bytes (the
/// lowest first), its last eight bytes read as a whole number (the lowest first), over 2^64. Equal
/// bits give equal numbers; nothing has a gradient. MD5: RFC 1321; the reading of the digest is
/// that of LBANN's layer of this name.
struct uniform_hash {
  static constexpr std::string_view name = "uniform_hash";
  static constexpr std::string_view summary = "Each number's hash as a number in [0, 1).";

  static constexpr auto fields() { return std::tuple<>{}; }

  friend bool operator==(uniform_hash const&, uniform_hash const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(uniform_hash const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators
