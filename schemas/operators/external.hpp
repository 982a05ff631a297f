// A layer computed by a user's shared library.
#pragma once

#include "schemas/operators/external_library.hpp"

namespace lbann::operators {

/// Inputs [batch, ...] of one floating-point type, any number from one on; `outputs` outputs of
/// that type and of `shape`. The library sees the local samples of a rank, each of which it must
/// treat by itself.
struct external : ExternalLibrary {
  static constexpr std::string_view name = "external";
  static constexpr std::string_view summary = "A layer computed by a user's shared library.";

  Shape shape;
  std::int64_t outputs = 1;
  bool differentiable = true;  ///< the library gives gradients; otherwise none flow back

  static constexpr auto fields() {
    return std::tuple_cat(
        library_fields(),
        std::tuple{field("shape", &external::shape, "Shape of each output.", Presence::required),
                   field("outputs", &external::outputs, "Number of outputs."),
                   field("differentiable", &external::differentiable,
                         "Whether the library gives gradients.")});
  }

  friend bool operator==(external const&, external const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(external const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators
