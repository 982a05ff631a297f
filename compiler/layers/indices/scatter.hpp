#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Entries added up at places that indices name.
struct scatter {
  static constexpr std::string_view name = "scatter";
  static constexpr std::string_view summary =
      "Entries of its first input added up at places along an axis that its second names.";
  static constexpr std::string_view shapes =
      "x [..., m, ...], i [m] -> y [dims], m along `axis`, where dims may differ from those of "
      "x";
  static constexpr std::string_view formula =
      "y[..., k, ...] = sum over j with floor(i[j]) = k: x[..., j, ...]\n"
      "dx[..., j, ...] = dy[..., floor(i[j]), ...], and 0 where there is no such entry; di = 0";
  static constexpr LayerExample example{"values=6x4 indices=6",
                                        "- scatter: {parents: [values, indices], dims: [10, 4]}"};
  static constexpr Arity parents{2, 2}, children{1, 1};

  std::vector<std::int64_t> dims;
  std::int64_t axis = 0;

  static constexpr auto fields() {
    return std::tuple{
        field("dims", &scatter::dims, "Dims of the output.", Presence::required, {}, at_least_one),
        field("axis", &scatter::axis,
              "Axis that indices name places of; a negative one counts from the last.")};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
