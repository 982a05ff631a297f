// Values of the objective and of metrics in a finished pass, by name.
#pragma once

#include <optional>
#include <string_view>

#include "runtime/callbacks/callback.hpp"

namespace lbann::runtime {

/// Index of the metric of this name in the plan, the last if there are several; nothing if there
/// is none.
std::optional<std::size_t> find_metric(Plan const& plan, std::string_view name);

/// Mean over the samples of the pass: of the objective function for `objective`, else of the metric
/// of this name, in its unit; NaN if there is none.
double measured_value(Plan const& plan, PhaseResult const& phase, std::string_view name);

/// The lowest or highest value of several validations.
class BestValue {
 public:
  explicit BestValue(bool highest) : highest_(highest) {}
  /// Whether `value` is better than all before; then it is the best. NaN never is.
  bool improves(double value);
  std::optional<double> value() const { return best_; }

 private:
  bool highest_;
  std::optional<double> best_;
};

}  // namespace lbann::runtime
