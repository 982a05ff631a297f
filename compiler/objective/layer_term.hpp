#pragma once

#include "compiler/objective/objective_term.hpp"

namespace lbann::compiler::objective_terms {

/// The mean over samples of the sum of a layer's entries.
struct layer_term {
  static constexpr std::string_view name = "layer_term";
  static constexpr std::string_view summary = "The mean output of a layer.";

  std::string layer;
  double scale_factor = 1;

  static constexpr auto fields() {
    return std::tuple{
        field("layer", &layer_term::layer, "Layer with one number per sample.", Presence::required),
        field("scale_factor", &layer_term::scale_factor, "Factor of the term.")};
  }
};

}  // namespace lbann::compiler::objective_terms
