// Callback `mixup`, declared but not built.
#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct mixup {
  static constexpr std::string_view name = "mixup";
  static constexpr std::string_view summary = "Mixes pairs of samples and of their labels.";
  static constexpr Support support = Support::unimplemented;

  std::vector<std::string> layers;
  double alpha = 0;

  static constexpr auto fields() {
    return std::tuple{field("layers", &mixup::layers, "Names of input layers."),
                      field("alpha", &mixup::alpha,
                            "Both parameters of the beta distribution that shares are drawn from.",
                            at_least_zero)};
  }
};

}  // namespace lbann::callbacks
