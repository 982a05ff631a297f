// All elementwise mathematics: one expression for each element, in one pass over memory.
#pragma once

#include "schemas/operators/operator.hpp"

namespace lbann::operators {

/// Inputs: the expression's operands, each broadcast to `shape`; an operand may also be an output's
/// tensor (in place). Outputs: the expression's, of `shape`. Operands are converted to `compute`
/// when read.
struct map {
  static constexpr std::string_view name = "map";
  static constexpr std::string_view summary = "An expression of scalar functions for each element.";
  static constexpr auto sixteen_bit_inputs = SixteenBitInputs::as_given;
  static constexpr bool in_place = true;

  Expression expression;
  Shape shape;                       ///< iteration space and shape of all outputs
  DataType compute = DataType::f32;  ///< f32 or f64
  std::vector<DataType> types;       ///< of the outputs

  static constexpr auto fields() {
    return std::tuple{
        field("expression", &map::expression, "What is computed.", Presence::required),
        field("shape", &map::shape, "Iteration space.", Presence::required),
        field("compute", &map::compute, "Type computed in."),
        field("types", &map::types, "Types of the outputs.", Presence::required)};
  }

  friend bool operator==(map const&, map const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(map const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators
