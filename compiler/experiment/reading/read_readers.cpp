// Data readers and the fields they declare.
#include "compiler/experiment/reading/section_reader.hpp"
#include "compiler/experiment/sections.hpp"
#include "compiler/experiment/values/scalars.hpp"
#include "schemas/diagnostics/catalogue.hpp"
#include "schemas/transforms/apply_transforms.hpp"

namespace lbann::compiler {

namespace {

void add_transforms(DeclaredPart const& part, std::string const& field,
                    std::optional<ExecutionMode> phase, ReaderEntry& entry) {
  for (auto const& declaration : part.values)
    if (auto transform = transform_of(declaration.type->record(declaration.object.get())))
      entry.transforms.push_back({field, phase, declaration, *std::move(transform)});
}

}  // namespace

void SectionReader::readers(Node const& section) const {
  list(section, "data_reader", [&](Node const& node) { reader(node); });
}

void SectionReader::reader(Node const& node) const {
  auto const typed = read_entry(node, "a data reader", declarations.reader_list, report);
  if (!typed || !typed->enabled) return;
  auto object = typed->type->create();
  FieldTarget targets[] = {{typed->type, object.get(), {}}};
  FieldSurroundings const around{
      typed->type->name, typed->type_span, {"enabled", "fields"}, declarations.reader_list};
  ReaderEntry entry;
  entry.span = node.span;
  bool good = read_fields(targets, *typed->body, around, report);
  if (auto const* fields = typed->body->find("fields")) reader_fields(fields->value, entry);
  if (!good) return;
  auto const& type = *declarations.find_reader(typed->type->name);
  auto const conflict = type.conflict(object.get());
  entry.runs_user_code = type.runs_user_code;
  // Every reader begins with the fields of `data_readers::reader`.
  auto const record = typed->type->record(object.get());
  for (std::size_t i = 0; i < reader_role_names.size(); ++i)
    if (std::get<std::string>(record.fields[0].second) == reader_role_names[i])
      entry.role = static_cast<ExecutionMode>(i);
  entry.declaration = {typed->type,
                       std::move(object),
                       typed->span,
                       typed->type_span,
                       std::move(targets[0].places),
                       read_parts(*typed->type, *typed->body, report)};
  if (conflict)
    report.add(diagnostics::contradicting_fields, entry.declaration.place_of(conflict->field),
               {std::string(conflict->field), conflict->words});
  for (auto const& other : experiment.readers)
    if (other.role == entry.role)
      report
          .add(diagnostics::two_readers, entry.declaration.place_of("role"),
               {reader_role(entry.role)})
          .labels.push_back({other.declaration.place_of("role"), "the first one"});
  if (auto const* transforms = entry.declaration.find_part("transforms"))
    add_transforms(*transforms, "samples", std::nullopt, entry);
  experiment.readers.push_back(std::move(entry));
}

/// Those of the data coordinator come after those of the readers.
void SectionReader::coordinator_transforms(Declaration const& coordinator) const {
  auto const* section = coordinator.find_part("transforms");
  if (section == nullptr) return;
  for (auto const& of_field : section->values) {
    auto const& fields = of_field.as<sections::transform_data_field>();
    auto const* transforms = of_field.find_part("transforms");
    if (transforms == nullptr) continue;
    for (auto& entry : experiment.readers)
      add_transforms(*transforms, fields.data_field, fields.phase(), entry);
  }
}

void SectionReader::reader_fields(Node const& section, ReaderEntry& entry) const {
  if (!mapping(section, "fields")) return;
  constexpr Range size{.least = 1, .most = 0x1p53};
  FieldInfo const dims{"dims", {}, {}, FieldKind::integers, Presence::required, {}, {}, size};
  for (auto const& field : section.entries) {
    if (!mapping(field.value, field.key)) continue;
    check_keys(field.value, field.key, {"dims"}, report);
    auto const* given = field.value.find("dims");
    if (given == nullptr) {
      report.add(diagnostics::missing_field, field.key_span, {field.key, "`dims`"});
      continue;
    }
    auto const value = read_value(given->value, dims, report);
    if (!value) continue;
    ReaderEntry::FieldDims declared;
    declared.name = {field.key, given->value.span};
    declared.dims = std::get<std::vector<std::int64_t>>(*value);
    entry.fields.push_back(std::move(declared));
  }
}

}  // namespace lbann::compiler
