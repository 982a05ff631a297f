// Compares gradients with finite differences of the objective, as LBANN does.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "kernels/kernel.hpp"

namespace lbann::runtime {

/// Step and tolerance of the finite differences (LBANN, src/callbacks/check_gradients.cpp).
struct DifferenceScale {
  double step = 0;       ///< h: as given, or |f| sqrt(e) with e = epsilon^0.9; at least 2^-52
  double tolerance = 0;  ///< (e f / h + h^4 / 18)^0.9; NaN if f is negative

  /// For an objective of `value` computed in `type`; `step_size` 0: chosen.
  static DifferenceScale of(double value, double step_size, DataType type);
};

/// One entry of weights whose gradient was compared.
struct GradientEntry {
  std::int64_t entry = 0;  ///< index in C order
  double value = 0;        ///< of the weights
  double gradient = 0;     ///< by backpropagation
  double difference = 0;   ///< by finite differences of the objective
  bool wrong = false;
  double error() const;
};

/// Whether `gradient` and `difference` differ by more than the tolerance, or either is not finite.
/// With a NaN tolerance, only what is not finite is wrong.
bool is_wrong(double gradient, double difference, double tolerance);

/// Derivative of `objective` for each entry of `weights`, by differences of fourth order,
///
///     (-f(w + 2h) + 8 f(w + h) - 8 f(w - h) + f(w - 2h)) / 12 h,
///
/// compared with `gradients` (of the same size and type). Entries are changed in place, rounded to
/// their type, and restored. `visit` is called for every entry. Allocates nothing.
void compare_gradients(kernels::View const& weights, kernels::View const& gradients,
                       DifferenceScale scale, std::function<double()> const& objective,
                       std::function<void(GradientEntry const&)> const& visit);

}  // namespace lbann::runtime
