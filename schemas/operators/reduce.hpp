// Sums, products or extremes over axes, of expressions of the inputs.
#pragma once

#include "schemas/operators/operator.hpp"
#include "schemas/operators/reduce_mode.hpp"

namespace lbann::operators {

/// Inputs: the operands of `expression`, each broadcast to `shape`. Outputs: one for each of the
/// expression, `shape` without `axes` (ascending). Elements are computed in `compute`, sums and
/// products taken in f64. A sum over nothing is 0, a product 1, a maximum the lowest value of
/// `compute` and a minimum its highest.
struct reduce {
  static constexpr std::string_view name = "reduce";
  static constexpr std::string_view summary =
      "Sum, product, maximum or minimum over axes of expressions.";
  static constexpr auto sixteen_bit_inputs = SixteenBitInputs::as_given;

  ReduceMode mode = ReduceMode::sum;
  Expression expression;
  Shape shape;                       ///< iteration space
  std::vector<std::int64_t> axes;    ///< reduced axes of `shape`, ascending
  DataType compute = DataType::f32;  ///< f32 or f64
  DataType type = DataType::f32;     ///< of the outputs

  static constexpr auto fields() {
    return std::tuple{
        field("mode", &reduce::mode, "What is taken: sum, max, min or product."),
        field("expression", &reduce::expression, "What is reduced.", Presence::required),
        field("shape", &reduce::shape, "Iteration space.", Presence::required),
        field("axes", &reduce::axes, "Axes that vanish, ascending.", Presence::required),
        field("compute", &reduce::compute, "Type computed in."),
        field("type", &reduce::type, "Type of the outputs.")};
  }

  friend bool operator==(reduce const&, reduce const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(reduce const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators

template <>
inline constexpr auto lbann::enum_names<lbann::operators::ReduceMode> =
    std::array<std::string_view, 4>{"sum", "max", "min", "product"};
