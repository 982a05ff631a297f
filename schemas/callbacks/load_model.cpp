// Whether renamings can be read.
#include "schemas/callbacks/load_model.hpp"

#include "schemas/callbacks/renaming.hpp"
#include "schemas/diagnostics/graph.hpp"

namespace lbann::callbacks {

void load_model::check(Findings& findings) const {
  for (auto const& text : rename)
    if (auto const renaming = Renaming::parse(text); !renaming)
      findings.add(diagnostics::malformed_renaming, "rename", {text, renaming.problem().message});
}

}  // namespace lbann::callbacks
