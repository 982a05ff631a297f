// All operators as one value, and the table of what is known of each.
#pragma once

#include <string>

#include "schemas/operators/list.hpp"  // generated from meson.build: `Operator`, a std::variant of all declarations
#include "schemas/operators/operator.hpp"

namespace lbann {

/// What the reference pages and tests need of an operator, independent of its C++ type.
struct OperatorInfo {
  std::string_view name;
  std::string_view summary;
  std::vector<FieldInfo> fields;
};

/// One entry per alternative of `Operator`, in their order.
std::vector<OperatorInfo> describe_operators();

std::string_view name_of(Operator const& op);
/// See `SixteenBitInputs`.
SixteenBitInputs sixteen_bit_inputs(Operator const& op);
/// Whether an output may take the memory of an input of its type: all kernels write an entry of it
/// after they have read the one at its place for the last time.
bool in_place(Operator const& op);
Result<TensorTypes> infer(Operator const& op, std::span<TensorType const> inputs);
Loops loops(Operator const& op, Signature const& signature);
void derive_backward(Operator const& op, BackwardContext& context);
/// Floating-point operations on `samples` local samples; `functions_in` (rules.hpp) says what
/// counts.
std::int64_t flops(Operator const& op, Signature const& signature, std::int64_t samples);
/// Bytes of scratch memory that suffice for every kernel of the operator on `threads` host threads.
std::int64_t scratch_bytes(Operator const& op, Signature const& signature, std::int64_t samples,
                           std::int64_t threads);
Record to_record(Operator const& op);
std::optional<Operator> operator_from(Record const& record);

}  // namespace lbann
