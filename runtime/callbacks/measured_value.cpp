// Values of the objective and of metrics in a finished pass, by name.
#include "runtime/callbacks/measured_value.hpp"

#include <cmath>
#include <limits>

#include "schemas/callbacks/references.hpp"

namespace lbann::runtime {

std::optional<std::size_t> find_metric(Plan const& plan, std::string_view name) {
  for (auto i = plan.metrics.size(); i-- > 0;)
    if (plan.metrics[i].name == name) return i;
  return std::nullopt;
}

double measured_value(Plan const& plan, PhaseResult const& phase, std::string_view name) {
  if (name == callbacks::objective_word) return phase.objective;
  auto const metric = find_metric(plan, name);
  return metric ? phase.metrics[*metric] : std::numeric_limits<double>::quiet_NaN();
}

bool BestValue::improves(double value) {
  if (std::isnan(value)) return false;
  if (best_ && !(highest_ ? value > *best_ : value < *best_)) return false;
  best_ = value;
  return true;
}

}  // namespace lbann::runtime
