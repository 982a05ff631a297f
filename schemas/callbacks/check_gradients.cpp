// Whether there is something to take differences of.
#include "schemas/callbacks/check_gradients.hpp"

#include "schemas/diagnostics/experiment.hpp"

namespace lbann::callbacks {

void check_gradients::check(ModelView const& model, Findings& findings) const {
  if (!model.has_objective)
    findings.add(diagnostics::no_effect, {}, {std::string(name), "the model has no objective"});
}

}  // namespace lbann::callbacks
