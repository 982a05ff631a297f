// Callback `clip_gradient_norm`.
#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/callbacks/references.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::compiler {
class CallbackLowering;
}

namespace lbann::callbacks {

struct clip_gradient_norm {
  static constexpr std::string_view name = "clip_gradient_norm";
  static constexpr std::string_view summary = "Scales gradients down whose norm is too large.";
  static constexpr std::string_view formula =
      "g = g min(1, value / |g|), |g| = sqrt(sum over i: g[i]^2)\n"
      "with `global_norm`, the sum in |g| goes over the gradients of all these weights";

  std::vector<std::string> weights = {};
  bool global_norm = false;
  double value = 0;

  static constexpr Reference references[] = {{"weights", Referent::trained_weights}};

  static constexpr auto fields() {
    return std::tuple{
        field("weights", &clip_gradient_norm::weights,
              "Names of the weights it acts on; all that are trained if left out."),
        field("global_norm", &clip_gradient_norm::global_norm,
              "One norm over the gradients of all these weights instead of one for each."),
        field("value", &clip_gradient_norm::value, "Largest norm.", above_zero,
              Presence::required)};
  }

  void lower(compiler::CallbackLowering& lowering) const;
};

}  // namespace lbann::callbacks
