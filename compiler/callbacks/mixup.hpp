// Callback `mixup`.
#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/callbacks/model_view.hpp"
#include "schemas/callbacks/references.hpp"
#include "schemas/plan/plan.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct mixup {
  static constexpr std::string_view name = "mixup";
  static constexpr std::string_view summary =
      "Mixes each sample of training, and its label, with another one of the epoch (H. Zhang et "
      "al.: \"mixup: Beyond empirical risk minimization\", ICLR 2018). The other one is drawn "
      "without regard to mini-batches, so that results do not depend on their size or on ranks.";
  static constexpr std::string_view formula =
      "y_i = s_i x_i + (1 - s_i) x_p(i), the same s_i in every field\n"
      "s_i = max(b, 1 - b), b drawn from Beta(alpha, alpha) for each sample, p a random "
      "permutation of the samples of the epoch";

  std::vector<std::string> layers = {};
  double alpha = 0;

  static constexpr Reference references[] = {{"layers", Referent::optional_layer}};

  static constexpr auto fields() {
    return std::tuple{
        field("layers", &mixup::layers, "Names of input layers; all of them if left out."),
        field("alpha", &mixup::alpha,
              "Both parameters of the beta distribution: 0.2 to 0.4 for images, more mixes more, 0 "
              "does not mix.",
              at_least_zero, Presence::required)};
  }

  /// Layers that read no data, and a distribution that mixes nothing.
  void check(ModelView const& model, Findings& findings) const;
  Mixing mixing(ModelView const& model) const;
};

}  // namespace lbann::callbacks
