// The form of an operator's declaration: fields, shape rule, loops, backward rule and cost.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "schemas/vocabulary/data_type.hpp"
#include "schemas/vocabulary/field.hpp"
#include "schemas/vocabulary/id.hpp"
#include "schemas/vocabulary/result.hpp"
#include "schemas/vocabulary/shape.hpp"

namespace lbann {

/// What is known of a tensor without its content.
struct TensorType {
  DataType type = DataType::f32;
  Shape shape;
  friend bool operator==(TensorType const&, TensorType const&) = default;
};

using TensorTypes = std::vector<TensorType>;

/// Types of the inputs and outputs of one instruction.
struct Signature {
  std::span<TensorType const> inputs;
  std::span<TensorType const> outputs;
};

/// What becomes of inputs of an operator in a layer whose numbers are stored in 16 bits.
enum class SixteenBitInputs : std::uint8_t {
  widened,   ///< those of 16 bits are converted to f32, for kernels that take nothing else
  as_given,  ///< kernels read any type
  narrowed   ///< f32 is converted to the 16 bits of the layer: factors of products
};

class BackwardContext;  // schemas/operators/backward.hpp
struct Loops;           // schemas/operators/loops.hpp

// clang-format off
// A declaration is a struct in `schemas/operators/<name>.hpp` with its rules in `<name>.cpp`:
//
//     struct softmax {
//       static constexpr std::string_view name = "softmax";
//       static constexpr std::string_view summary = "Turns scores into probabilities that sum to one.";
//       std::int64_t axes = 1;
//       // Left out where inputs of 16 bits are widened.
//       static constexpr auto sixteen_bit_inputs = SixteenBitInputs::as_given;
//       // Left out where outputs need memory of their own; see `in_place` in operators.hpp.
//       static constexpr bool in_place = true;
//       static constexpr auto fields() { return std::tuple{field("axes", &softmax::axes, "...")}; }
//       friend bool operator==(softmax const&, softmax const&) = default;
//
//       // The types of the outputs, or what does not fit. Accepts any input: plans are not trusted.
//       Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
//       // Which dimensions can be split over ranks, and what the parts compute: see loops.hpp.
//       Loops loops(Signature const& signature) const;
//       // Emits the operators that compute the gradients of the inputs.
//       static void backward(softmax const& op, BackwardContext& context);
//       std::int64_t flops(Signature const& signature, std::int64_t samples) const;
//       // Upper bound over all kernels.
//       std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples, std::int64_t threads) const;
//     };
//
// Bytes moved follow from the signature.
// clang-format on

}  // namespace lbann
