// Callback `perturb_weights`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include "schemas/callbacks/model_view.hpp"
#include "schemas/callbacks/references.hpp"
#include "schemas/vocabulary/counts.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::compiler {
class CallbackLowering;
}

namespace lbann::callbacks {

struct perturb_weights {
  static constexpr std::string_view name = "perturb_weights";
  static constexpr std::string_view summary =
      "Adds normal random numbers to entries of weights, within bounds, before steps.";
  static constexpr std::string_view formula =
      "w[i] = min(max(w[i] + scale z, lower), upper) with probability perturb_probability, z "
      "standard normal\n"
      "both are drawn for each entry";

  double lower_ = 0;  ///< underscore because of member `lower()`
  double upper = 0;
  double scale = 0;
  double perturb_probability = 0;
  std::string output_name;
  std::int64_t batch_interval = 1;

  static constexpr Reference references[] = {{"output_name", Referent::weights}};

  static constexpr auto fields() {
    return std::tuple{
        field("lower", &perturb_weights::lower_, "Least value of what is changed."),
        field("upper", &perturb_weights::upper, "Largest value of what is changed."),
        field("scale", &perturb_weights::scale, "Standard deviation of what is added.",
              at_least_zero),
        field("perturb_probability", &perturb_weights::perturb_probability,
              "How likely an entry is changed.", zero_to_one),
        field("output_name", &perturb_weights::output_name, "Name of the weights.",
              Presence::required),
        field("batch_interval", &perturb_weights::batch_interval, "Do it every so many steps.",
              Presence::optional, "steps", counted_from_one)};
  }

  void check(Findings& findings) const;
  void lower(compiler::CallbackLowering& lowering) const;
};

}  // namespace lbann::callbacks
