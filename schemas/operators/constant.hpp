// Given numbers.
#pragma once

#include "schemas/operators/operator.hpp"

namespace lbann::operators {

/// No inputs. Output of `shape` and `type`, its elements in C order those of `values`, rounded to
/// `type`; as many as the shape has elements.
struct constant {
  static constexpr std::string_view name = "constant";
  static constexpr std::string_view summary = "Given numbers.";

  std::vector<double> values;
  Shape shape;
  DataType type = DataType::f32;

  static constexpr auto fields() {
    return std::tuple{
        field("values", &constant::values, "The elements in C order.", Presence::required),
        field("shape", &constant::shape, "Shape of the output.", Presence::required),
        field("type", &constant::type, "Type of the output.")};
  }

  friend bool operator==(constant const&, constant const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(constant const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators
