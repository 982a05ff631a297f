// Callback `set_weights_value`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/callbacks/references.hpp"
#include "schemas/vocabulary/counts.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::compiler {
class CallbackLowering;
}

namespace lbann::callbacks {

struct set_weights_value {
  static constexpr std::string_view name = "set_weights_value";
  static constexpr std::string_view summary = "Sets all entries of weights before a step.";

  std::vector<std::string> weights;
  double value = 0;
  std::int64_t step = 0;

  static constexpr Reference references[] = {{"weights", Referent::weights}};

  static constexpr auto fields() {
    return std::tuple{
        field("weights", &set_weights_value::weights, "Names of the weights.", Presence::required),
        field("value", &set_weights_value::value, "The value."),
        field("step", &set_weights_value::step, "The step, counted from 0 over all epochs.",
              Presence::optional, "steps", counted_from_zero)};
  }

  void lower(compiler::CallbackLowering& lowering) const;
};

}  // namespace lbann::callbacks
