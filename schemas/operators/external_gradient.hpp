// Gradient of a layer computed by a user's shared library.
#pragma once

#include "schemas/operators/external_library.hpp"

namespace lbann::operators {

/// Inputs: the `inputs` inputs of `external`, its outputs, and a gradient for each of these;
/// outputs: a gradient for each of its inputs.
struct external_gradient : ExternalLibrary {
  static constexpr std::string_view name = "external_gradient";
  static constexpr std::string_view summary =
      "Gradient of a layer computed by a user's shared library.";

  std::int64_t inputs = 1;

  static constexpr auto fields() {
    return std::tuple_cat(library_fields(), std::tuple{field("inputs", &external_gradient::inputs,
                                                             "Number of inputs of the layer.")});
  }

  friend bool operator==(external_gradient const&, external_gradient const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(external_gradient const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators
