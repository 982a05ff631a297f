// Matrix products of many pairs of matrices: c[i] = a[i] b[i], each followed by an optional map.
#pragma once

#include "schemas/operators/operator.hpp"

namespace lbann::operators {

/// Inputs a [n..., m, k], b [n..., k, p] with the same leading axes, of which one may be the batch
/// (matrices stored transposed if the field says so), then the operands of the epilogue beyond its
/// first, each broadcast to [n..., m, p]; outputs of that shape (operand 0 is the product), one if
/// there is no epilogue.
struct batched_matmul {
  static constexpr std::string_view name = "batched_matmul";
  static constexpr std::string_view summary =
      "Products of pairs of matrices along leading axes, with an optional map of the results.";
  static constexpr auto sixteen_bit_inputs = SixteenBitInputs::narrowed;

  bool transpose_a = false;
  bool transpose_b = false;
  Expression epilogue;
  std::vector<DataType> types;  ///< of the epilogue's outputs; empty without epilogue

  static constexpr auto fields() {
    return std::tuple{
        field("transpose_a", &batched_matmul::transpose_a, "Matrices a are stored as [k, m]."),
        field("transpose_b", &batched_matmul::transpose_b, "Matrices b are stored as [p, k]."),
        field("epilogue", &batched_matmul::epilogue, "Map of the products; empty for none."),
        field("types", &batched_matmul::types, "Types of the epilogue's outputs.")};
  }

  friend bool operator==(batched_matmul const&, batched_matmul const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(batched_matmul const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators
