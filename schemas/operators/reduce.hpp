// Sums or maxima over axes, of an expression of the inputs.
#pragma once

#include "schemas/operators/operator.hpp"

namespace lbann::operators {

enum class ReduceMode : std::uint8_t { sum, max };

/// Inputs: the operands of `expression` (one output), each broadcast to `shape`. Output: `shape`
/// without `axes` (ascending). Elements are computed in `compute`; sums are taken in f64 for
/// scalars and over at most a tile in `compute` otherwise. A sum over nothing is 0, a maximum over
/// nothing the lowest value.
struct reduce {
  static constexpr std::string_view name = "reduce";
  static constexpr std::string_view summary = "Sum or maximum over axes of an expression.";

  ReduceMode mode = ReduceMode::sum;
  Expression expression;
  Shape shape;                       ///< iteration space
  std::vector<std::int64_t> axes;    ///< reduced axes of `shape`, ascending
  DataType compute = DataType::f32;  ///< f32 or f64
  DataType type = DataType::f32;     ///< of the output

  static constexpr auto fields() {
    return std::tuple{
        field("mode", &reduce::mode, "Sum or maximum."),
        field("expression", &reduce::expression, "What is reduced.", Presence::required),
        field("shape", &reduce::shape, "Iteration space.", Presence::required),
        field("axes", &reduce::axes, "Axes that vanish, ascending.", Presence::required),
        field("compute", &reduce::compute, "Type computed in."),
        field("type", &reduce::type, "Type of the output.")};
  }

  friend bool operator==(reduce const&, reduce const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  static void backward(reduce const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples) const;
};

}  // namespace lbann::operators

template <>
inline constexpr auto lbann::enum_names<lbann::operators::ReduceMode> =
    std::array<std::string_view, 2>{"sum", "max"};
