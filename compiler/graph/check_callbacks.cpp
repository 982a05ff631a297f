// Phases, metrics, bounds and paths that callbacks name.
#include "compiler/graph/check_callbacks.hpp"

#include <algorithm>

#include "schemas/callbacks/execution_modes.hpp"
#include "schemas/diagnostics/catalogue.hpp"
#include "schemas/files/file_name.hpp"

namespace lbann::compiler {

namespace {

/// The value of a field of any declaration, if it has one of this name and kind.
template <class T>
std::optional<T> field_of(Declaration const& declaration, std::string_view name) {
  for (auto const& [field, value] : declaration.type->record(declaration.object.get()).fields)
    if (field == name)
      if (auto const* held = std::get_if<T>(&value)) return *held;
  return std::nullopt;
}

/// Notes phases that no run has.
void check_phases(Declaration const& callback, CallbackType const& type, Report& report) {
  for (auto const& [field, referent] : type.references) {
    if (referent != callbacks::Referent::phase) continue;
    auto const modes = texts_in(callback, field);
    bool const never =
        !modes.empty() && std::none_of(modes.begin(), modes.end(), [](std::string const& mode) {
          return callbacks::mode_named(mode).has_value();
        });
    for (auto const& mode : modes) {
      if (callbacks::mode_named(mode)) continue;
      auto& diagnostic = report.add(diagnostics::no_effect, callback.place_of(field),
                                    {mode, "a run trains, validates and tests"});
      if (never)
        diagnostic.notes.push_back("`" + std::string(callback.type->name) +
                                   "` never acts: name one of these phases, or remove it");
    }
  }
}

void check_paths(Declaration const& callback, Report& report) {
  for (auto const& field : callback.type->fields) {
    if (!field.written) continue;
    auto const name = field.name;
    auto const path = field_of<std::string>(callback, name);
    if (!path || stays_within(*path)) continue;
    auto& diagnostic = report.add(diagnostics::path_leads_out, callback.place_of(name),
                                  {std::string(name), *path});
    if (auto inside = confined(*path); !inside.empty()) diagnostic.suggestions = {inside};
  }
}

/// Names of metrics in fields that refer to some.
void check_metrics(Declaration const& callback, CallbackType const& type,
                   Experiment const& experiment, Report& report) {
  std::vector<std::string_view> names;
  for (auto const& metric : experiment.metrics) names.push_back(metric.name.text);
  for (auto const& metric : experiment.external_metrics) names.push_back(metric.name.text);
  for (auto const& [field, referent] : type.references) {
    bool const measure = referent == callbacks::Referent::measure;
    if (referent != callbacks::Referent::metric && !measure) continue;
    auto known = names;
    if (measure) known.push_back(callbacks::objective_word);
    for (auto const& name : texts_in(callback, field))
      if (std::ranges::find(known, name) == known.end() && !(measure && name.empty()))
        report.add(diagnostics::unknown_metric, callback.place_of(field), {name}).suggestions =
            nearest(name, known);
  }
}

}  // namespace

std::vector<Declaration const*> all_callbacks(Experiment const& experiment) {
  std::vector<Declaration const*> all;
  if (auto const* part = experiment.trainer.find_part("callbacks"))
    for (auto const& callback : part->values) all.push_back(&callback);
  for (auto const& callback : experiment.callbacks) all.push_back(&callback);
  return all;
}

std::vector<std::string> texts_in(Declaration const& callback, std::string_view field) {
  for (auto const& [name, value] : callback.type->record(callback.object.get()).fields) {
    if (name != field) continue;
    if (auto const* one = std::get_if<std::string>(&value)) return {*one};
    if (auto const* list = std::get_if<std::vector<std::string>>(&value)) return *list;
  }
  return {};
}

void check_callbacks(Experiment const& experiment, CallbackTypes const& types, Report& report) {
  for (auto const* callback : all_callbacks(experiment)) {
    check_paths(*callback, report);
    auto const* type = types.find(callback->type->name);
    if (type == nullptr) continue;
    check_phases(*callback, *type, report);
    check_metrics(*callback, *type, experiment, report);
    if (type->check_fields == nullptr) continue;
    FindingsAt findings(*callback, report);
    type->check_fields(callback->object.get(), findings);
  }
}

}  // namespace lbann::compiler
