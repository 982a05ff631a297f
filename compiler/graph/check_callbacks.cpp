// Phases, metrics, bounds and paths that callbacks name.
#include "compiler/graph/check_callbacks.hpp"

#include <algorithm>
#include <charconv>

#include "schemas/callbacks/check_metric.hpp"
#include "schemas/callbacks/phases.hpp"
#include "schemas/callbacks/written_paths.hpp"
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
void check_phases(Declaration const& callback, Report& report) {
  auto const modes = field_of<std::vector<std::string>>(callback, "execution_modes");
  if (!modes) return;
  bool const never =
      !modes->empty() && std::none_of(modes->begin(), modes->end(), [](std::string const& mode) {
        return callbacks::phase_named(mode).has_value();
      });
  for (auto const& mode : *modes) {
    if (callbacks::phase_named(mode)) continue;
    auto& diagnostic = report.add(diagnostics::no_effect, callback.place_of("execution_modes"),
                                  {mode, "a run trains, validates and tests"});
    if (never)
      diagnostic.notes.push_back("`" + std::string(callback.type->name) +
                                 "` never acts: name one of these phases, or remove it");
  }
}

void check_paths(Declaration const& callback, Report& report) {
  for (auto const name : callbacks::written_paths(callback.type->name)) {
    auto const path = field_of<std::string>(callback, name);
    if (!path || stays_within(*path)) continue;
    auto& diagnostic = report.add(diagnostics::path_leads_out, callback.place_of(name),
                                  {std::string(name), *path});
    if (auto inside = confined(*path); !inside.empty()) diagnostic.suggestions = {inside};
  }
}

/// The shortest text that reads as the same number.
std::string text_of(double number) {
  std::array<char, 32> text{};
  auto const end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
  return {text.data(), end};
}

void check_bounds(Declaration const& callback, Experiment const& experiment, Report& report) {
  auto const& check = callback.as<callbacks::check_metric>();
  std::vector<std::string> names;
  for (auto const& metric : experiment.metrics) names.push_back(metric.name.text);
  for (auto const& metric : experiment.external_metrics) names.push_back(metric.name.text);
  if (std::find(names.begin(), names.end(), check.metric) == names.end())
    report.add(diagnostics::unknown_metric, callback.place_of("metric"), {check.metric})
        .suggestions = nearest(check.metric, {names.begin(), names.end()});
  if (check.lower_bound > check.upper_bound)
    report.add(diagnostics::empty_bounds, callback.place_of("lower_bound"),
               {text_of(check.lower_bound), text_of(check.upper_bound)});
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

void check_callbacks(Experiment const& experiment, Report& report) {
  for (auto const* callback : all_callbacks(experiment)) {
    check_phases(*callback, report);
    check_paths(*callback, report);
    if (callback->type->name == callbacks::check_metric::name)
      check_bounds(*callback, experiment, report);
  }
}

}  // namespace lbann::compiler
