// The catalogue as one list.
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann {

std::vector<DiagnosticInfo const*> catalogue() {
  std::vector<DiagnosticInfo const*> all;
  auto append = [&](auto const& entries) {
    for (auto const* info : entries) all.push_back(info);
  };
  append(diagnostics::command_line_entries);
  append(diagnostics::source_entries);
  append(diagnostics::experiment_entries);
  append(diagnostics::graph_entries);
  append(diagnostics::passes_entries);
  append(diagnostics::plan_entries);
  return all;
}

DiagnosticInfo const* diagnostic_named(std::string_view code) {
  for (auto const* info : catalogue())
    if (info->code == code) return info;
  return nullptr;
}

}  // namespace lbann
