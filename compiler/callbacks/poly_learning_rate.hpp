// Callback `poly_learning_rate`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/callbacks/model_view.hpp"
#include "schemas/callbacks/references.hpp"
#include "schemas/vocabulary/counts.hpp"
#include "schemas/vocabulary/field.hpp"
#include "schemas/vocabulary/learning_rate.hpp"

namespace lbann::compiler {
class CallbackLowering;
}

namespace lbann::callbacks {

struct poly_learning_rate {
  static constexpr std::string_view name = "poly_learning_rate";
  static constexpr std::string_view summary =
      "Lets the learning rate fall from step to step as a power of the part that remains.";
  static constexpr std::string_view formula =
      "rate = (first - end_lr) (1 - t / n)^power + end_lr before step t, from 0 on, while t < n\n"
      "rate = end_lr from then on\n"
      "n = max_iter, or num_epochs times the steps of an epoch; first is the rate that training "
      "begins with";
  static constexpr bool changes_learning_rate = true;

  std::vector<std::string> weights = {};
  double power = 0;
  std::int64_t num_epochs = 0;
  std::int64_t max_iter = 0;
  double end_lr = 0;

  static constexpr Reference references[] = {{"weights", Referent::trained_weights}};

  static constexpr auto fields() {
    return std::tuple{field("weights", &poly_learning_rate::weights,
                            "Names of the weights it acts on; all that are trained if left out."),
                      field("power", &poly_learning_rate::power, "The exponent.", at_least_zero,
                            Presence::required),
                      field("num_epochs", &poly_learning_rate::num_epochs,
                            "Epochs that the fall takes; the model's if 0.", Presence::optional,
                            "epochs", counted_from_zero),
                      field("max_iter", &poly_learning_rate::max_iter,
                            "Steps that the fall takes; `num_epochs` says so if 0.",
                            Presence::optional, "steps", counted_from_zero),
                      lbann::learning_rate(field("end_lr", &poly_learning_rate::end_lr,
                                                 "The learning rate at the end.", at_least_zero))};
  }

  void check(ModelView const& model, Findings& findings) const;
  void lower(compiler::CallbackLowering& lowering) const;
};

}  // namespace lbann::callbacks
