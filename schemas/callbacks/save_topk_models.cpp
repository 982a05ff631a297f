// Whether there is a test to rank the trainers by.
#include "schemas/callbacks/save_topk_models.hpp"

#include "schemas/diagnostics/passes.hpp"

namespace lbann::callbacks {

void save_topk_models::check(ModelView const& model, Findings& findings) const {
  if (!model.has_test)
    findings.add(diagnostics::phase_without_data, {}, {std::string(name), "test"});
}

}  // namespace lbann::callbacks
