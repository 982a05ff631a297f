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
  auto const one = [&](Item const& item) {
    if (part.typed()) {
      auto const what = part.repeated() ? "an entry of " + name : "a value of " + name;
      if (auto value = read_declaration(item, what, part.types, report); value && *value)
        read.values.push_back(std::move(*value));
    } else if (item.kind == Item::Kind::mapping || item.kind == Item::Kind::null) {
      read.values.push_back(read_section(*part.types.front(), item, entry.key_span, {}, report));
    } else {
      report.add(diagnostics::wrong_type, item.span,
                 {std::string(part.name), "a mapping", describe(item)});
    }
  };
  if (!part.repeated()) return one(entry.value);
  if (entry.value.kind == Item::Kind::null) return;
  if (entry.value.kind != Item::Kind::sequence) return report_wrong_form(entry, "a list", report);
  for (auto const& item : entry.value.items) one(item);
}

}  // namespace

std::vector<DeclaredPart> read_parts(DeclarationType const& type, Item const& body,
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

Declaration read_section(DeclarationType const& type, Item const& body, Span owner_span,
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
