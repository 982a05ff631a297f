#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// In training each entry is chosen with its probability, otherwise the most probable one.
struct categorical_random {
  static constexpr std::string_view name = "categorical_random";
  static constexpr std::string_view summary = "One entry chosen by given probabilities.";
  static constexpr std::string_view shapes = "p [n...] -> y [n...]";
  static constexpr std::string_view formula =
      "in training: y[i] = [i = j], j drawn with probability p[j] for each sample and step\n"
      "otherwise: y[i] = [i = argmax(p)]\n"
      "dp = 0";
  static constexpr LayerExample example{"probabilities=10",
                                        "- categorical_random: {parents: probabilities}"};
  static constexpr Arity parents{1, 1}, children{1, 1};

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
