// Initializers that are declared but not built.
#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/vocabulary/field.hpp"

namespace lbann::compiler::initializers {

struct value_initializer {
  static constexpr std::string_view name = "value_initializer";
  static constexpr std::string_view summary = "Given numbers.";
  static constexpr Support support = Support::unbuilt;

  std::vector<double> values;

  static constexpr auto fields() {
    return std::tuple{field(
        "values", &value_initializer::values,
        "One number per entry, in C order; those of matrices column by column, as LBANN has them.",
        Presence::required)};
  }
};

struct numpy_initializer {
  static constexpr std::string_view name = "numpy_initializer";
  static constexpr std::string_view summary = "Numbers from a .npy file.";
  static constexpr Support support = Support::unbuilt;

  std::string file;

  static constexpr auto fields() {
    return std::tuple{field("file", &numpy_initializer::file, "The file, real and in C order.",
                            Presence::required)};
  }
};

}  // namespace lbann::compiler::initializers
