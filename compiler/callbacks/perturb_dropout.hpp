// Callback `perturb_dropout`.
#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "compiler/callbacks/hyperparameter.hpp"
#include "schemas/callbacks/model_view.hpp"
#include "schemas/callbacks/references.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::compiler {
class CallbackLowering;
}

namespace lbann::callbacks {

struct perturb_dropout {
  static constexpr std::string_view name = "perturb_dropout";
  static constexpr std::string_view summary =
      "Changes the probabilities of dropout layers at random, once before training.";
  static constexpr std::string_view formula =
      "keep_prob = min(max(1 - (1 - keep_prob) exp(keep_dropout_factor z), 0.5), 1), z standard "
      "normal, drawn for each layer";

  double keep_dropout_factor = 0;
  std::vector<std::string> layers = {};

  static constexpr Reference references[] = {{"layers", Referent::layer}};

  static constexpr auto fields() {
    return std::tuple{field("keep_dropout_factor", &perturb_dropout::keep_dropout_factor,
                            "Standard deviation of the logarithms of the factors.", at_least_zero),
                      field("layers", &perturb_dropout::layers,
                            "Names of dropout layers; all that drop something if left out.")};
  }

  void check(ModelView const& model, Findings& findings) const;
  std::vector<Hyperparameter> varies(ModelView const& model) const;
  void lower(compiler::CallbackLowering& lowering) const;
};

}  // namespace lbann::callbacks
