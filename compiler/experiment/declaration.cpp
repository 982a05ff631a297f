// Places of fields, and parts by name.
#include "compiler/experiment/declaration.hpp"

namespace lbann::compiler {

Span Declaration::place_of(std::string_view field) const {
  if (type == nullptr) return span;
  for (std::size_t i = 0; i < type->fields.size() && i < field_spans.size(); ++i)
    if (type->fields[i].name == field && field_spans[i].known()) return field_spans[i];
  return type_span;
}

DeclaredPart const* Declaration::find_part(std::string_view name) const {
  for (auto const& each : parts)
    if (each.part->name == name) return &each;
  return nullptr;
}

}  // namespace lbann::compiler
