// Values added up at places along an axis that indices name, followed by an optional map.
#pragma once

#include "schemas/operators/operator.hpp"

namespace lbann::operators {

/// Inputs values [batch..., outer..., picks..., inner...] (floating) and indices [batch...,
/// picks...] (i32, i64, or floating, then rounded down); output of `shape` [batch..., outer..., n,
/// inner...]: y[b, o, j, i] is the sum of values[b, o, p, i] over the picks with indices[b, p] = j,
/// in ascending order of p. Values whose index lies outside of [0, n) or is NaN are left out. Where
/// the mini-batch is among the picks the sum goes over all samples: the gradient of a table. The
/// transpose of `gather`, and its gradient; its own is a gather.
///
/// Where that table is a matrix [n, inner] (`axis` and `batch_axes` 0) an epilogue may follow:
/// inputs are then also its operands beyond the first, each broadcast to [n, inner]; outputs those
/// of the epilogue, whose operand 0 is y.
struct scatter {
  static constexpr std::string_view name = "scatter";
  static constexpr std::string_view summary =
      "Values added up at places along an axis that indices name, with an optional map of a table.";

  Shape shape;
  std::int64_t axis = 1;
  std::int64_t batch_axes = 1;
  Expression epilogue = {};
  std::vector<DataType> types = {};  ///< of the epilogue's outputs; empty without epilogue

  static constexpr auto fields() {
    return std::tuple{
        field("shape", &scatter::shape, "Shape of the output.", Presence::required),
        field("axis", &scatter::axis, "Axis of the output that indices name places of."),
        field("batch_axes", &scatter::batch_axes,
              "First axes that both inputs and the output have."),
        field("epilogue", &scatter::epilogue, "Map of a table; empty for none."),
        field("types", &scatter::types, "Types of the epilogue's outputs.")};
  }

  friend bool operator==(scatter const&, scatter const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(scatter const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators
