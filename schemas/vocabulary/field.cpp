// Fields of any declared type described, read and written.
#include "schemas/vocabulary/field.hpp"

namespace lbann {

std::vector<FieldInfo> describe_fields(std::span<FieldView const> fields) {
  std::vector<FieldInfo> infos;
  for (auto const& field : fields) {
    auto const& terms = *field.terms;
    auto const choices = terms.choices.empty() ? field.type->choices : terms.choices;
    infos.push_back({terms.name,
                     terms.doc,
                     terms.unit,
                     field.type->kind,
                     terms.presence,
                     {choices.begin(), choices.end()},
                     field.value(),
                     terms.range,
                     terms.support,
                     terms.reason,
                     terms.path,
                     terms.written,
                     terms.usual,
                     terms.unusual,
                     terms.pair});
  }
  return infos;
}

Record to_record(std::string_view type, std::span<FieldView const> fields) {
  Record record{std::string(type), {}};
  for (auto const& field : fields)
    record.fields.emplace_back(std::string(field.terms->name), field.value());
  return record;
}

bool fill_fields(std::span<FieldView const> fields, Record const& record) {
  if (record.fields.size() != fields.size()) return false;
  for (std::size_t i = 0; i < fields.size(); ++i)
    if (record.fields[i].first != fields[i].terms->name ||
        !set_field(fields[i], record.fields[i].second))
      return false;
  return true;
}

bool set_field(FieldView const& field, Value const& value) {
  return field.type->set(const_cast<void*>(field.member), value);
}

}  // namespace lbann
