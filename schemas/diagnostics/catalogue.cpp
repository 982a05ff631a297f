// Entries of the catalogue by their codes; `list_entries.py` writes the catalogue itself.
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann {

DiagnosticInfo const* diagnostic_named(std::string_view code) {
  for (auto const* info : catalogue())
    if (info->code == code) return info;
  return nullptr;
}

}  // namespace lbann
