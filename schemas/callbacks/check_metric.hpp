// Callback: a metric that must lie within bounds.
#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/callbacks/execution_modes.hpp"
#include "schemas/callbacks/model_view.hpp"
#include "schemas/callbacks/references.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct check_metric {
  static constexpr std::string_view name = "check_metric";
  static constexpr std::string_view summary =
      "Checks that a metric lies within bounds at the end of an epoch, a validation or a test.";

  std::string metric;
  double lower_bound = 0;
  double upper_bound = 0;
  bool error_on_failure = false;
  std::vector<std::string> execution_modes;

  static constexpr Reference references[] = {{"metric", Referent::metric},
                                             {"execution_modes", Referent::phase}};

  static constexpr auto fields() {
    return std::tuple{
        field("metric", &check_metric::metric, "Name of the metric.", Presence::required),
        field("lower_bound", &check_metric::lower_bound, "Least value allowed."),
        field("upper_bound", &check_metric::upper_bound, "Largest value allowed."),
        field("error_on_failure", &check_metric::error_on_failure,
              "Stop with an error when it does not."),
        some_of(field("execution_modes", &check_metric::execution_modes,
                      "Phases it acts in; all if left out."),
                execution_mode_words)};
  }

  void check(Findings& findings) const;
};

}  // namespace lbann::callbacks
