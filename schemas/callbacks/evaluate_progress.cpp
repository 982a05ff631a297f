// What evaluate_progress objects to.
#include "schemas/callbacks/evaluate_progress.hpp"

#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::callbacks {

void evaluate_progress::check(ModelView const& model, Findings& findings) const {
  if (!model.has_validation && !model.has_test)
    findings.add(diagnostics::no_effect, "",
                 {std::string(name), "there is no data to validate or to test on"});
}

}  // namespace lbann::callbacks
