#pragma once

#include "compiler/optimizers/optimizer.hpp"

namespace lbann::compiler::optimizers {

/// The weights stay as they are.
struct no_optimizer {
  static constexpr std::string_view name = "no_optimizer";
  static constexpr std::string_view summary = "The weights stay as they are.";
  static constexpr std::string_view formula = "w = w";
  static constexpr bool trains = false;

  static constexpr auto fields() { return std::tuple<>{}; }

  double learning_rate() const { return 0; }
  std::vector<MomentInfo> moments() const;
  std::vector<CounterInfo> counters() const;
  void update(OptimizerContext& context) const;
};

}  // namespace lbann::compiler::optimizers
