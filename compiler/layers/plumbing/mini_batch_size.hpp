#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// The number of samples of the mini-batch, which the last of an epoch may have fewer of.
struct mini_batch_size {
  static constexpr std::string_view name = "mini_batch_size";
  static constexpr std::string_view summary = "The number of samples of the mini-batch.";
  static constexpr std::string_view shapes = "-> y [1]";
  static constexpr std::string_view formula =
      "y = number of samples of the mini-batch, over all ranks; the last one of an epoch may "
      "have fewer";
  static constexpr LayerExample example{"", "- mini_batch_size: {name: samples_now}"};
  static constexpr Arity parents{0, 0}, children{1, 1};

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
