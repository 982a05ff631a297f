// Whether there are validations to choose among.
#include "schemas/callbacks/early_stopping.hpp"

#include "schemas/diagnostics/passes.hpp"

namespace lbann::callbacks {

void early_stopping::check(ModelView const& model, Findings& findings) const {
  if (model.has_validation) return;
  if (restore_best)
    findings.add(diagnostics::phase_without_data, "restore_best",
                 {std::string(name), "validation"});
  else
    findings.add(
        diagnostics::never_acts, {},
        {std::string(name),
         "there is no validation; give a reader `role: validate`, or the training reader a "
         "`validation_fraction`"});
}

}  // namespace lbann::callbacks
