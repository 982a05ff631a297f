// The numbers 0, 1, 2, ...
#pragma once

#include "schemas/operators/operator.hpp"

namespace lbann::operators {

/// No inputs; output [extent] of `type`: entry i is i. Maps that broadcast it compute values that
/// depend on the index of an entry.
struct iota {
  static constexpr std::string_view name = "iota";
  static constexpr std::string_view summary = "The numbers 0, 1, 2, ...";

  std::int64_t extent = 1;
  DataType type = DataType::f32;

  static constexpr auto fields() {
    return std::tuple{field("extent", &iota::extent, "How many.", Presence::required),
                      field("type", &iota::type, "Type of the output.")};
  }

  friend bool operator==(iota const&, iota const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(iota const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators
