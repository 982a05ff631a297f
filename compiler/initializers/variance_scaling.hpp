// Initializers whose variance follows from the numbers of inputs and outputs of the layer.
#pragma once

#include "compiler/initializers/initializer.hpp"

namespace lbann::compiler::initializers {

// LBANN's variance scaling: https://lbann.readthedocs.io/en/latest/weights.html. Uniform ones draw
// from [-sqrt(3 variance), sqrt(3 variance)).

struct glorot_normal_initializer {
  static constexpr std::string_view name = "glorot_normal_initializer";
  static constexpr std::string_view summary = "Normal with variance 2 / (fan_in + fan_out).";
  static constexpr std::string_view formula =
      "w = sqrt(2 / (fan_in + fan_out)) e, e standard normal";
  static constexpr bool needs_fans = true;
  static constexpr auto fields() { return std::tuple<>{}; }
  Operator fill(Filling const& filling) const;
};

struct glorot_uniform_initializer {
  static constexpr std::string_view name = "glorot_uniform_initializer";
  static constexpr std::string_view summary = "Uniform with variance 2 / (fan_in + fan_out).";
  static constexpr std::string_view formula =
      "w = sqrt(6 / (fan_in + fan_out)) u, u uniform in [-1, 1)";
  static constexpr bool needs_fans = true;
  static constexpr auto fields() { return std::tuple<>{}; }
  Operator fill(Filling const& filling) const;
};

struct he_normal_initializer {
  static constexpr std::string_view name = "he_normal_initializer";
  static constexpr std::string_view summary = "Normal with variance 2 / fan_in.";
  static constexpr std::string_view formula = "w = sqrt(2 / fan_in) e, e standard normal";
  static constexpr bool needs_fans = true;
  static constexpr auto fields() { return std::tuple<>{}; }
  Operator fill(Filling const& filling) const;
};

struct he_uniform_initializer {
  static constexpr std::string_view name = "he_uniform_initializer";
  static constexpr std::string_view summary = "Uniform with variance 2 / fan_in.";
  static constexpr std::string_view formula = "w = sqrt(6 / fan_in) u, u uniform in [-1, 1)";
  static constexpr bool needs_fans = true;
  static constexpr auto fields() { return std::tuple<>{}; }
  Operator fill(Filling const& filling) const;
};

struct lecun_normal_initializer {
  static constexpr std::string_view name = "lecun_normal_initializer";
  static constexpr std::string_view summary = "Normal with variance 1 / fan_in.";
  static constexpr std::string_view formula = "w = sqrt(1 / fan_in) e, e standard normal";
  static constexpr bool needs_fans = true;
  static constexpr auto fields() { return std::tuple<>{}; }
  Operator fill(Filling const& filling) const;
};

struct lecun_uniform_initializer {
  static constexpr std::string_view name = "lecun_uniform_initializer";
  static constexpr std::string_view summary = "Uniform with variance 1 / fan_in.";
  static constexpr std::string_view formula = "w = sqrt(3 / fan_in) u, u uniform in [-1, 1)";
  static constexpr bool needs_fans = true;
  static constexpr auto fields() { return std::tuple<>{}; }
  Operator fill(Filling const& filling) const;
};

}  // namespace lbann::compiler::initializers
