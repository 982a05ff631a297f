// Finding an example by its code.
#include "schemas/diagnostics/examples.hpp"

namespace lbann {

DiagnosticExample const* example_of(std::string_view code) {
  for (auto const& example : diagnostic_examples())
    if (example.code == code) return &example;
  return nullptr;
}

}  // namespace lbann
