// Random numbers that are a pure function of seed, name, step, sample and element.
#pragma once

#include "schemas/operators/operator.hpp"

namespace lbann::operators {

enum class Distribution : std::uint8_t { uniform, normal, bernoulli };

/// Inputs: seed, step, first_sample (i64 scalars). Output of `shape` and `type`; row r of a batched
/// shape is drawn for sample first_sample + r, so values do not depend on how a mini-batch is
/// split. uniform in [first, second); normal with mean first, deviation second; bernoulli: second
/// with probability first, else 0, which may be stored in bytes. Philox 4x32-10 keyed by (seed,
/// key), counter (step, sample, element / 4).
struct random {
  static constexpr std::string_view name = "random";
  static constexpr std::string_view summary = "Counter-based random numbers.";

  Distribution distribution = Distribution::uniform;
  double first = 0;
  double second = 1;
  std::int64_t key = 0;  ///< hash of the name the numbers belong to
  Shape shape;
  DataType type = DataType::f32;

  static constexpr auto fields() {
    return std::tuple{field("distribution", &random::distribution, "Law of the numbers."),
                      field("first", &random::first, "Lower bound, mean, or probability."),
                      field("second", &random::second, "Upper bound, deviation, or value."),
                      field("key", &random::key, "Hash of the name the numbers belong to."),
                      field("shape", &random::shape, "Shape of the output.", Presence::required),
                      field("type", &random::type, "Type of the output.")};
  }

  friend bool operator==(random const&, random const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(random const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators

template <>
inline constexpr auto lbann::enum_names<lbann::operators::Distribution> =
    std::array<std::string_view, 3>{"uniform", "normal", "bernoulli"};
