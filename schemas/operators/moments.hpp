// Mean and sum of squared deviations over axes, in one pass.
#pragma once

#include "schemas/operators/operator.hpp"

namespace lbann::operators {

/// Input x. Outputs, all f64: the number of elements of each result (a scalar), their mean, and
/// the sum of their squared deviations from it, both of x's shape without `axes`; all 0 if there
/// are no elements. Along a split axis each rank computes the moments of its own part; pass
/// `distribute` adds the instructions that merge them by Chan, Golub and LeVeque, "Updating
/// formulae and a pairwise algorithm for computing sample variances" (1979).
struct moments {
  static constexpr std::string_view name = "moments";
  static constexpr std::string_view summary = "Mean and sum of squared deviations over axes.";
  static constexpr auto sixteen_bit_inputs = SixteenBitInputs::as_given;

  std::vector<std::int64_t> axes;  ///< of x, ascending

  static constexpr auto fields() {
    return std::tuple{
        field("axes", &moments::axes, "Axes that vanish, ascending.", Presence::required)};
  }

  friend bool operator==(moments const&, moments const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(moments const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators
