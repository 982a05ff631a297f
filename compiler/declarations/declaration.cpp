// Places of fields, and parts by name.
#include "compiler/declarations/declaration.hpp"

namespace lbann::compiler {

namespace {

/// Where a field was written; unknown where it was not.
Span written_at(Declaration const& declaration, std::string_view field) {
  auto const& fields = declaration.type->fields;
  auto const& spans = declaration.field_spans;
  for (std::size_t i = 0; i < fields.size() && i < spans.size(); ++i)
    if (fields[i].name == field) return spans[i];
  return {};
}

}  // namespace

bool Declaration::gives(std::string_view field) const {
  return type != nullptr && written_at(*this, field).known();
}

Span Declaration::place_of(std::string_view field) const {
  if (type == nullptr) return span;
  auto const written = written_at(*this, field);
  return written.known() ? written : type_span;
}

DeclaredPart const* Declaration::find_part(std::string_view name) const {
  for (auto const& each : parts)
    if (each.part->name == name) return &each;
  return nullptr;
}

Declaration default_declaration(DeclarationType const& type) {
  Declaration declaration;
  declaration.type = &type;
  declaration.object = type.create();
  declaration.field_spans.resize(type.fields.size());
  return declaration;
}

}  // namespace lbann::compiler
