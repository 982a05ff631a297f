// Whether there are values to choose the best model by.
#include "schemas/callbacks/save_model.hpp"

#include "schemas/diagnostics/experiment.hpp"
#include "schemas/diagnostics/passes.hpp"

namespace lbann::callbacks {

void save_model::check(ModelView const& model, Findings& findings) const {
  if (best.empty()) {
    if (mode != BestMode::automatic)
      findings.add(diagnostics::no_effect, "mode", {"mode", "`best` is left out"});
    return;
  }
  if (!model.has_validation)
    findings.add(diagnostics::phase_without_data, "best", {std::string(name), "validation"});
  if (best != objective_word && mode == BestMode::automatic)
    findings.add(diagnostics::missing_field, "best",
                 {std::string(name), "`mode`, `min` or `max`, as `best` names a metric"});
  if (best == objective_word && !model.has_objective)
    findings.add(diagnostics::missing_field, "best",
                 {std::string(name), "an objective function, as `best` names it"});
  if (disable_save_after_training)
    findings.add(diagnostics::no_effect, "disable_save_after_training",
                 {"disable_save_after_training", "with `best` nothing is written at the end"});
}

}  // namespace lbann::callbacks
