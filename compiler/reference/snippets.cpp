// Snippets of types: required fields as tab stops.
#include "compiler/reference/snippets.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lbann::compiler {

std::string snippet_of_fields(DeclarationType const& type, std::int64_t least_parents) {
  std::vector<std::string> fields;
  int stop = 0;
  if (least_parents > 1) {
    std::vector<std::string> parents;
    for (std::int64_t i = 0; i < least_parents; ++i) parents.push_back(fmt::format("${}", ++stop));
    fields.push_back(fmt::format("parents: [{}]", fmt::join(parents, ", ")));
  }
  for (auto const& field : type.fields) {
    if (field.presence != Presence::required) continue;
    fields.push_back(
        field.kind == FieldKind::choice
            ? fmt::format("{}: ${{{}|{}|}}", field.name, ++stop, fmt::join(field.choices, ","))
            : fmt::format("{}: ${}", field.name, ++stop));
  }
  return fmt::format("{{{}}}", fmt::join(fields, ", "));
}

}  // namespace lbann::compiler
