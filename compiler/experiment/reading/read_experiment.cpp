// The top of the experiment, its trainer, and what all sections share.
#include "compiler/experiment/reading/read_experiment.hpp"

#include <algorithm>

#include "compiler/experiment/reading/section_reader.hpp"
#include "compiler/experiment/sections.hpp"
#include "compiler/experiment/training_algorithms.hpp"
#include "compiler/experiment/values/foreign_names.hpp"
#include "compiler/experiment/values/scalars.hpp"
#include "schemas/diagnostics/catalogue.hpp"
#include "schemas/vocabulary/bytes_text.hpp"

namespace lbann::compiler {

namespace {

std::vector<std::string_view> const section_names = {"include",   "variables",        "modules",
                                                     "trainer",   "data_reader",      "model",
                                                     "optimizer", "data_set_metadata"};

bool is_typo(Diagnostic const& diagnostic) {
  bool const unknown = diagnostic.info == &diagnostics::unknown_field ||
                       diagnostic.info == &diagnostics::unknown_type;
  return unknown && !diagnostic.suggestions.empty();
}

/// Whether it may come of a name or a parent that stands under a wrong key.
bool is_about_names(Diagnostic const& diagnostic) {
  static DiagnosticInfo const* const infos[] = {
      &diagnostics::unknown_layer,     &diagnostics::unknown_output,
      &diagnostics::no_layer_before,   &diagnostics::ambiguous_output,
      &diagnostics::unmatched_pattern, &diagnostics::unknown_call};
  return std::find(std::begin(infos), std::end(infos), diagnostic.info) != std::end(infos);
}

bool is_suggested(std::string_view key, Report const& report) {
  return std::ranges::any_of(report.diagnostics(), [&](Diagnostic const& diagnostic) {
    return !diagnostic.suggestions.empty() && diagnostic.suggestions.front() == key;
  });
}

}  // namespace

bool check_sections(Document const& document, Report& report) {
  if (document.root.kind != Node::Kind::mapping) return true;
  check_keys(document.root, "experiment", section_names, report);
  for (auto const& diagnostic : report.diagnostics())
    for (auto const* needed : {"include", "variables", "modules"})
      if (!diagnostic.suggestions.empty() && diagnostic.suggestions.front() == needed) return false;
  return true;
}

Experiment read_experiment(Document const& document, Declarations const& declarations,
                           Report& report) {
  Experiment experiment;
  SectionReader const read{declarations, report, experiment};
  auto const& root = document.root;
  Span const top{document.file, 0, 0};
  if (root.kind == Node::Kind::null || (root.kind == Node::Kind::mapping && root.entries.empty())) {
    report.add(diagnostics::empty_experiment, top);
    return experiment;
  }
  if (root.kind != Node::Kind::mapping) {
    auto& diagnostic =
        report.add(diagnostics::wrong_type, root.span, {"experiment", "a mapping", describe(root)});
    if (root.kind == Node::Kind::scalar && root.text.find(':') != std::string::npos)
      diagnostic.notes.emplace_back("a blank must stand behind the `:` of a key");
    return experiment;
  }
  std::vector<std::string_view> missing;
  auto const section = [&](std::string_view key) {
    auto const* entry = root.find(key);
    // Under a misspelt key it is there.
    if (entry == nullptr && !is_suggested(key, report)) missing.push_back(key);
    return entry;
  };
  if (auto const* variables = root.find("variables"); variables != nullptr)
    if (variables->value.kind != Node::Kind::null) read.mapping(variables->value, "variables");
  if (auto const* modules = root.find("modules")) read.uncalled_modules(modules->value);
  if (auto const* trainer = section("trainer")) read.trainer(*trainer);
  if (auto const* readers = root.find("data_reader")) read.readers(readers->value);
  if (auto const* coordinator =
          experiment.trainer ? experiment.trainer.find_part("data_coordinator") : nullptr;
      coordinator != nullptr && !coordinator->values.empty())
    read.coordinator_transforms(coordinator->values.front());
  if (auto const* model = section("model")) read.model(*model);
  if (auto const* trainer = root.find("trainer")) read.epochs(*trainer);
  if (auto const* metadata = root.find("data_set_metadata");
      metadata != nullptr && read.mapping(metadata->value, "data_set_metadata"))
    experiment.data_set_metadata = read_section(declarations.data_set_metadata, metadata->value,
                                                metadata->key_span, {}, report);
  if (auto const* optimizer = root.find("optimizer")) {
    auto declaration =
        read_declaration(optimizer->value, "an optimizer", declarations.optimizer_list, report);
    if (declaration) experiment.optimizer = std::move(*declaration);
  }
  if (!missing.empty())
    report.add(diagnostics::missing_field, top, {"experiment", alternatives(missing, " and ")});
  return experiment;
}

void take_over(Diagnostic const& diagnostic, Report& report) {
  std::vector<std::string> values;
  for (auto const& value : diagnostic.values) values.push_back(value.text);
  report.add(*diagnostic.info, diagnostic.span, std::move(values)) = diagnostic;
}

void report_misspelt_keys(Document const& document, Declarations const& declarations,
                          Report& report) {
  Report further;
  read_experiment(document, declarations, further);
  auto const& found = further.diagnostics();
  auto const& known = report.diagnostics();
  if (std::none_of(found.begin(), found.end(), is_typo) &&
      std::none_of(known.begin(), known.end(), is_typo))
    return;
  Report all = report;
  all.clear();
  for (auto const& diagnostic : known)
    if (!is_about_names(diagnostic)) take_over(diagnostic, all);
  for (auto const& diagnostic : found)
    if (is_typo(diagnostic)) take_over(diagnostic, all);
  report = std::move(all);
}

/// Bytes of `memory_limit`, which `recompute: auto` needs.
void SectionReader::memory_limit(Entry const& trainer) const {
  auto const& section = experiment.trainer.as<sections::trainer>();
  if (section.memory_limit.empty()) {
    if (section.recompute == Recompute::automatic)
      report.add(diagnostics::missing_field, trainer.value.find("recompute")->value.span,
                 {"recompute: auto", "`memory_limit`"});
    return;
  }
  experiment.memory_limit_span = trainer.value.find("memory_limit")->value.span;
  if (auto const bytes = parse_bytes(section.memory_limit))
    experiment.memory_limit = *bytes;
  else
    report.add(diagnostics::wrong_type, experiment.memory_limit_span,
               {"memory_limit", "a size such as `24GiB`", "`" + section.memory_limit + "`"});
}

void SectionReader::trainer(Entry const& entry) const {
  auto const& section = entry.value;
  if (!mapping(section, "trainer")) return;
  experiment.trainer = read_section(declarations.trainer, section, entry.key_span, {}, report);
  auto const& trainer = experiment.trainer.as<sections::trainer>();
  experiment.mini_batch_size = trainer.mini_batch_size;
  experiment.random_seed = trainer.random_seed;
  experiment.accumulate = trainer.accumulate;
  experiment.recompute = trainer.recompute;
  memory_limit(entry);
  experiment.hydrogen_block_size = trainer.hydrogen_block_size;
  if (trainer.shard_updates) experiment.update_shards = mesh_axes_of(ShardingStrategy::full);
  experiment.mini_batch_span = experiment.trainer.field_spans[0];
  if (auto const* coordinator = experiment.trainer.find_part("data_coordinator");
      coordinator != nullptr && !coordinator->values.empty()) {
    auto const& section = coordinator->values.front();
    experiment.sample_type = data_type_of(section.as<sections::data_coordinator>().datatype);
    if (auto const* part = section.find_part("staging"); part != nullptr && !part->values.empty()) {
      auto const& staging = part->values.front().as<sections::staging>();
      experiment.staging = {staging.local_dir, staging.limit, staging.streams};
    }
  }
  if (auto const* part = experiment.trainer.find_part("mesh");
      part != nullptr && !part->values.empty()) {
    auto const& mesh = part->values.front().as<sections::mesh>();
    experiment.mesh = {mesh.data, mesh.rows, mesh.columns};
  }
  if (auto const* algorithm = experiment.trainer.find_part("training_algorithm");
      algorithm != nullptr && !algorithm->values.empty()) {
    experiment.training_span = algorithm->values.front().span;
    limits(algorithm->values.front());
  }
}

void SectionReader::limits(Declaration const& algorithm) const {
  auto& training = experiment.training;
  if (algorithm.type->name != sections::sgd::name) return;  // not built
  auto const& sgd = algorithm.as<sections::sgd>();
  if (sgd.max_epochs < 0 && sgd.max_batches < 0 && sgd.max_seconds < 0)
    report.add(diagnostics::missing_field, algorithm.type_span,
               {"sgd", "`max_epochs`, `max_batches` or `max_seconds`"});
  if (sgd.max_epochs == 0 || sgd.max_batches == 0 || sgd.max_seconds == 0) return;
  training.max_epochs = std::max<std::int64_t>(sgd.max_epochs, 0);
  training.max_batches = std::max<std::int64_t>(sgd.max_batches, 0);
  training.max_seconds = std::max(sgd.max_seconds, 0.0);
}

void SectionReader::epochs(Entry const& trainer) const {
  if (!experiment.model || !experiment.trainer) return;
  for (auto const& entry : trainer.value.entries)
    if (auto const* owned = owner_of(entry.key); owned != nullptr && owned->field == "max_epochs")
      return;  // its message says where it stands
  auto const epochs = experiment.model.as<sections::model>().num_epochs;
  bool const algorithm = experiment.trainer.find_part("training_algorithm") != nullptr;
  auto const place = experiment.model.place_of("num_epochs");
  if (algorithm && epochs >= 0)
    report.add(diagnostics::no_effect, place,
               {"num_epochs", "the trainer's `training_algorithm` says how long it trains"});
  if (algorithm) return;
  if (epochs < 0)
    report.add(diagnostics::missing_field, trainer.key_span, {"trainer", "`training_algorithm`"})
        .notes.emplace_back("e.g. `training_algorithm: {sgd: {max_epochs: 10}}`");
  experiment.training.max_epochs = std::max<std::int64_t>(epochs, 0);
  experiment.training_span = place;
}

bool SectionReader::mapping(Node const& section, std::string_view name) const {
  if (section.kind == Node::Kind::mapping) return true;
  report.add(diagnostics::wrong_type, section.span,
             {std::string(name), "a mapping", describe(section)});
  return false;
}

void SectionReader::list(Node const& section, std::string_view name,
                         std::function<void(Node const&)> const& read) const {
  if (section.kind == Node::Kind::null) return;
  if (section.kind == Node::Kind::sequence) {
    for (auto const& node : section.items) read(node);
    return;
  }
  auto& diagnostic = report.add(diagnostics::wrong_type, section.span,
                                {std::string(name), "a list", describe(section)});
  if (section.kind == Node::Kind::mapping)
    diagnostic.notes.emplace_back("each entry of a list begins with `- `");
}

std::vector<Name> SectionReader::names(Node const& node) {
  if (node.kind == Node::Kind::scalar) return {{node.text, node.span}};
  std::vector<Name> names;
  for (auto const& child : node.items)
    if (child.kind == Node::Kind::scalar) names.push_back({child.text, child.span});
  return names;
}

bool SectionReader::check_name(Name const& name, bool dots) const {
  bool const blank = name.text.empty() || name.text.find_first_of(" \t\r\n") != std::string::npos;
  auto const dot = name.text.rfind('.');
  auto const is_number = [](std::string_view text) {
    return text.find_first_not_of("0123456789") == std::string_view::npos;
  };
  bool const like_output =
      dot != std::string::npos && is_number(std::string_view(name.text).substr(dot + 1));
  if (!blank && (dots || !like_output)) return true;
  report.add(diagnostics::name_with_space, name.span, {name.text});
  return false;
}

}  // namespace lbann::compiler
