#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Whether entries are among the k largest of their sample.
struct in_top_k {
  static constexpr std::string_view name = "in_top_k";
  static constexpr std::string_view summary =
      "1 where an entry is among the k largest of its sample, else 0.";
  static constexpr std::string_view shapes = "x [n...] -> y [n...]";
  static constexpr std::string_view formula =
      "y[i] = [fewer than k entries of the sample come before x[i]]\n"
      "larger ones come first, of equals those with a smaller index\n"
      "dx = 0";
  static constexpr LayerExample example{"x=10", "- in_top_k: {parents: x, k: 3}"};
  static constexpr Arity parents{1, 1}, children{1, 1};

  std::int64_t k = 1;

  static constexpr auto fields() {
    return std::tuple{
        field("k", &in_top_k::k, "Entries that count.", Presence::required, {}, at_least_zero)};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
