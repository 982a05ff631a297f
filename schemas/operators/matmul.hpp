// Matrix product: c = a b, followed by an optional map.
#pragma once

#include "schemas/operators/operator.hpp"

namespace lbann::operators {

/// Inputs a [m, k], b [k, n] (each stored transposed if the field says so), then the operands of
/// the epilogue beyond its first, each broadcast to [m, n]; outputs [m, n] of the epilogue (operand
/// 0 is the product), one if there is no epilogue. Sums are taken at least in the type of the
/// inputs.
struct matmul {
  static constexpr std::string_view name = "matmul";
  static constexpr std::string_view summary = "Matrix product with an optional map of the result.";
  static constexpr auto sixteen_bit_inputs = SixteenBitInputs::narrowed;

  bool transpose_a = false;
  bool transpose_b = false;
  Expression epilogue;
  std::vector<DataType> types;  ///< of the epilogue's outputs; empty without epilogue

  static constexpr auto fields() {
    return std::tuple{field("transpose_a", &matmul::transpose_a, "a is stored as [k, m]."),
                      field("transpose_b", &matmul::transpose_b, "b is stored as [n, k]."),
                      field("epilogue", &matmul::epilogue, "Map of the product; empty for none."),
                      field("types", &matmul::types, "Types of the epilogue's outputs.")};
  }

  friend bool operator==(matmul const&, matmul const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(matmul const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators
