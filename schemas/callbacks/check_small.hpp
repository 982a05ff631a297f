// Callback: finds values whose squares underflow.
#pragma once

#include <string_view>
#include <tuple>

#include "schemas/callbacks/observed_values.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct check_small {
  static constexpr std::string_view name = "check_small";
  static constexpr std::string_view summary =
      "Stops when an activation or a gradient is so small that its square vanishes.";

  static constexpr auto fields() { return std::tuple<>{}; }

  ObservedValues observes() const { return {.outputs = {{{}, {"train"}}}, .gradients = true}; }
};

}  // namespace lbann::callbacks
