// Callback `custom_learning_rate`, declared but not built.
#pragma once

#include <string_view>
#include <tuple>

#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct custom_learning_rate {
  static constexpr std::string_view name = "custom_learning_rate";
  static constexpr std::string_view summary =
      "A learning rate of one's own; LBANN has no such callback in its builder.";
  static constexpr Support support = Support::unimplemented;

  static constexpr auto fields() { return std::tuple<>{}; }
};

}  // namespace lbann::callbacks
