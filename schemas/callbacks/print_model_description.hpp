// Callback: the model as a list of layers.
#pragma once

#include <string_view>
#include <tuple>

#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct print_model_description {
  static constexpr std::string_view name = "print_model_description";
  static constexpr std::string_view summary =
      "Prints layers, shapes and weights before the first step.";

  static constexpr auto fields() { return std::tuple<>{}; }
};

}  // namespace lbann::callbacks
