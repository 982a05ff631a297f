#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// `average` is another name of `mean`.
enum class ReductionMode : std::uint8_t { sum, mean, average };

}  // namespace lbann::compiler::layers

template <>
inline constexpr auto lbann::enum_names<lbann::compiler::layers::ReductionMode> =
    std::array<std::string_view, 3>{"sum", "mean", "average"};

namespace lbann::compiler::layers {

/// Sum or mean of all entries of a sample.
struct reduction {
  static constexpr std::string_view name = "reduction";
  static constexpr std::string_view summary = "Sum or mean of all entries of a sample.";
  static constexpr std::string_view shapes = "x [n...] -> y [1]";
  static constexpr std::string_view formula =
      "y = sum over i: x[i]\n"
      "with `mode: mean` (or average) divided by the number of entries";
  static constexpr LayerExample example{"x=3x4", "- reduction: {parents: x, mode: mean}"};
  static constexpr Arity parents{1, 1}, children{1, 1};

  ReductionMode mode = ReductionMode::sum;

  static constexpr auto fields() {
    return std::tuple{field("mode", &reduction::mode, "sum, mean, or average, which is mean.")};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
