// Walks all declarations of an experiment.
#include "compiler/experiment/reading/unsupported.hpp"

#include <algorithm>

#include "compiler/experiment/sections.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler {

namespace {

class Unsupported {
 public:
  void look_at(Declaration const& declaration) {
    if (!declaration || is_switched_off(declaration)) return;
    auto const& type = *declaration.type;
    if (type.support == Support::unimplemented)
      return unimplemented_.push_back({std::string(type.name), declaration.type_span});
    if (type.support == Support::ignored)
      return note_ignored(type.name, type.reason, declaration.type_span);
    look_at_fields(declaration);
    for (auto const& part : declaration.parts)
      for (auto const& value : part.values) look_at(value);
  }

  void note_ignored(std::string_view name, std::string_view reason, Span place) {
    inert_.push_back({{std::string(name), place}, reason});
  }

  std::vector<std::string> report(bool allowed, Report& report) {
    std::vector<std::string> names;
    std::stable_sort(unimplemented_.begin(), unimplemented_.end(),
                     [](Name const& a, Name const& b) { return a.span < b.span; });
    auto const& info =
        allowed ? diagnostics::not_supported_yet_allowed : diagnostics::not_supported_yet;
    for (auto const& [name, span] : unimplemented_) {
      report.add(info, span, {name});
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    for (auto const& [name, reason] : inert_)
      report.add(diagnostics::no_effect, name.span, {name.text, std::string(reason)});
    return names;
  }

 private:
  /// `enabled: false` asks for nothing.
  static bool is_switched_off(Declaration const& declaration) {
    auto const& fields = declaration.type->fields;
    auto const found = std::ranges::find(fields, std::string_view("enabled"), &FieldInfo::name);
    if (found == fields.end()) return false;
    auto const record = declaration.type->record(declaration.object.get());
    return record.fields[static_cast<std::size_t>(found - fields.begin())].second == Value(false);
  }

  void look_at_fields(Declaration const& declaration) {
    auto const& type = *declaration.type;
    static constexpr std::string_view datatype = "datatype";
    auto const is_plain = [](FieldInfo const& field) {
      return field.support == Support::implemented && field.name != datatype;
    };
    if (std::all_of(type.fields.begin(), type.fields.end(), is_plain)) return;
    auto const record = type.record(declaration.object.get());
    for (std::size_t i = 0; i < type.fields.size(); ++i) {
      auto const& field = type.fields[i];
      if (is_plain(field) || record.fields[i].second == field.default_value) continue;
      auto const place = declaration.place_of(field.name);
      if (field.name == datatype) {
        // Of all types of numbers two are computed in, and layers store two more.
        auto const& name = std::get<std::string>(record.fields[i].second);
        bool const stored =
            (name == "bf16" || name == "fp16") && type.name == sections::layer::name;
        if (name != "float" && name != "double" && !stored)
          unimplemented_.push_back({"datatype: " + name, place});
      } else if (field.support == Support::unimplemented)
        unimplemented_.push_back({std::string(field.name), place});
      else
        note_ignored(field.name, field.reason, place);
    }
  }

  std::vector<Name> unimplemented_;
  std::vector<std::pair<Name, std::string_view>> inert_;  ///< and why
};

}  // namespace

std::vector<std::string> report_unsupported(Experiment const& experiment, bool allowed,
                                            Report& report) {
  Unsupported unsupported;
  unsupported.look_at(experiment.trainer);
  unsupported.look_at(experiment.model);
  unsupported.look_at(experiment.data_set_metadata);
  for (auto const& reader : experiment.readers) {
    unsupported.look_at(reader.declaration);
    if (reader.role == ExecutionMode::tournament)
      unsupported.note_ignored("role: tournament", "training holds no tournaments",
                               reader.declaration.place_of("role"));
  }
  for (auto const& layer : experiment.layers) {
    unsupported.look_at(layer.declaration);
    unsupported.look_at(layer.common);
  }
  for (auto const& weights : experiment.weights) {
    unsupported.look_at(weights.declaration);
    unsupported.look_at(weights.initializer);
    unsupported.look_at(weights.optimizer);
  }
  for (auto const& callback : experiment.callbacks) unsupported.look_at(callback);
  unsupported.look_at(experiment.optimizer);
  return unsupported.report(allowed, report);
}

}  // namespace lbann::compiler
