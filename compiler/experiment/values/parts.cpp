// Declarations inside of declarations, read from a mapping.
#include "compiler/experiment/values/entries.hpp"
#include "compiler/experiment/values/fields.hpp"
#include "compiler/experiment/values/scalars.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler {

namespace {

void report_wrong_form(Entry const& entry, std::string words, Report& report) {
  report.add(diagnostics::wrong_type, entry.value.span,
             {entry.key, std::move(words), describe(entry.value)});
}

void read_part(PartType const& part, Entry const& entry, DeclaredPart& read, Report& report) {
  auto const name = "`" + std::string(part.name) + "`";
  auto const one = [&](Node const& node) {
    if (part.typed()) {
      auto const what = part.repeated() ? "an entry of " + name : "a value of " + name;
      if (auto value = read_declaration(node, what, part.types, report); value && *value)
        read.values.push_back(std::move(*value));
    } else if (node.kind == Node::Kind::mapping || node.kind == Node::Kind::null) {
      read.values.push_back(read_section(*part.types.front(), node, entry.key_span, {}, report));
    } else {
      report.add(diagnostics::wrong_type, node.span,
                 {std::string(part.name), "a mapping", describe(node)});
    }
  };
  if (!part.repeated()) return one(entry.value);
  if (entry.value.kind == Node::Kind::null) return;
  if (entry.value.kind != Node::Kind::sequence) return report_wrong_form(entry, "a list", report);
  for (auto const& node : entry.value.items) one(node);
}

}  // namespace

std::vector<DeclaredPart> read_parts(DeclarationType const& type, Node const& body,
                                     Report& report) {
  std::vector<DeclaredPart> parts;
  for (auto const& part : type.parts) {
    auto const* entry = body.find(part.name);
    if (entry == nullptr) continue;
    DeclaredPart read{&part, entry->key_span, {}};
    read_part(part, *entry, read, report);
    parts.push_back(std::move(read));
  }
  return parts;
}

Declaration read_section(DeclarationType const& type, Node const& body, Span owner_span,
                         std::vector<std::string_view> others, Report& report, bool* good) {
  auto object = type.create();
  FieldTarget targets[] = {{&type, object.get(), {}}};
  FieldSurroundings const around{type.name, owner_span, std::move(others), {}};
  bool const read = read_fields(targets, body, around, report);
  if (good != nullptr) *good = read;
  return {&type,
          std::move(object),
          body.span,
          owner_span,
          std::move(targets[0].places),
          read_parts(type, body, report)};
}

}  // namespace lbann::compiler
