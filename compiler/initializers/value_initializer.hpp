#pragma once

#include "compiler/initializers/initializer.hpp"

namespace lbann::compiler::initializers {

/// Given numbers; those of a matrix stand column by column.
struct value_initializer {
  static constexpr std::string_view name = "value_initializer";
  static constexpr std::string_view summary = "Given numbers.";
  static constexpr std::string_view formula =
      "w[i] = values[i], i in C order\n"
      "of what is a matrix of h rows in LBANN: w[r, c] = values[r + h c]";
  static constexpr bool needs_fans = false;

  std::vector<double> values;

  static constexpr auto fields() {
    return std::tuple{
        field("values", &value_initializer::values,
              "One number per entry: in C order; but those of weights that are matrices in LBANN "
              "(fully_connected, embedding, ...) column by column, each as long as the matrix is "
              "high.",
              Presence::required)};
  }

  Operator fill(InitContext const& context) const;
  std::size_t given_values() const { return values.size(); }
};

}  // namespace lbann::compiler::initializers
