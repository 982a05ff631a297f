// Whether there are validations to choose among.
#include "schemas/callbacks/early_stopping.hpp"

#include "schemas/diagnostics/passes.hpp"

namespace lbann::callbacks {

void early_stopping::check(ModelView const& model, Findings& findings) const {
  if (restore_best && !model.has_validation)
    findings.add(diagnostics::phase_without_data, "restore_best",
                 {std::string(name), "validation"});
}

}  // namespace lbann::callbacks
