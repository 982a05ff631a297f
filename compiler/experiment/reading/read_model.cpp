// The model: layers, weights, objective, metrics, callbacks.
#include <algorithm>
#include <unordered_map>

#include "compiler/experiment/expanding/expansion.hpp"
#include "compiler/experiment/expanding/weights_in_place.hpp"
#include "compiler/experiment/reading/section_reader.hpp"
#include "compiler/experiment/sections.hpp"
#include "schemas/diagnostics/catalogue.hpp"
#include "schemas/metrics/layer_metric.hpp"

namespace lbann::compiler {

namespace {

/// The axes of the mesh over which weights are sharded; none where they are not.
std::vector<std::string> read_shards(Node const& section, bool sharded, ShardingStrategy strategy,
                                     Report& report) {
  if (sharded) return mesh_axes_of(strategy);
  if (strategy != ShardingStrategy::full)
    report.add(diagnostics::no_effect, section.find("sharding_strategy")->key_span,
               {"sharding_strategy", "it is that of weights with `sharded: true`"});
  return {};
}

void read_amp(Experiment& experiment, Report& report) {
  auto const* part = experiment.model.find_part("amp");
  if (part == nullptr || part->values.empty()) return;
  auto const& declaration = part->values.front();
  auto const& amp = declaration.as<sections::amp>();
  if (!amp.enabled) return;
  experiment.amp = data_type_of(amp.type);
  if (amp.type == NarrowPrecision::half_precision) {
    experiment.loss_scale = {amp.init_scale, amp.growth_factor, amp.backoff_factor,
                             amp.growth_interval, declaration.type_span};
    return;
  }
  for (std::string_view const field :
       {"init_scale", "growth_factor", "backoff_factor", "growth_interval"})
    if (declaration.gives(field))
      report.add(diagnostics::no_effect, declaration.place_of(field),
                 {std::string(field), "bf16 has the range of float, so that nothing is scaled"});
}

}  // namespace

void SectionReader::model(Entry const& entry) const {
  auto const& section = entry.value;
  if (!mapping(section, "model")) return;
  experiment.model = read_section(
      declarations.model, section, entry.key_span,
      {"layers", "settings", "weights", "objective_function", "metrics", "callbacks"}, report);
  auto const& model = experiment.model.as<sections::model>();
  experiment.name = model.name_;
  experiment.model_parallel = model.data_layout == DataLayout::model_parallel;
  experiment.shards = read_shards(section, model.sharded, model.sharding_strategy, report);
  experiment.type = model.datatype == Precision::double_precision ? DataType::f64 : DataType::f32;
  read_amp(experiment, report);
  auto const read = [&](std::string_view key, void (SectionReader::*part)(Node const&) const) {
    if (auto const* found = section.find(key)) (this->*part)(found->value);
  };
  if (auto const* found = section.find("layers"))
    experiment.layers_span = found->key_span;
  else
    report.add(diagnostics::missing_field, entry.key_span, {"model", "`layers`"});
  read("layers", &SectionReader::layers);
  read("weights", &SectionReader::weights);
  order_by_use(experiment);
  read("objective_function", &SectionReader::objective);
  read("metrics", &SectionReader::metrics);
  read("callbacks", &SectionReader::callbacks);
}

void SectionReader::layers(Node const& section) const {
  std::unordered_map<std::string_view, std::size_t> counts;
  list(section, "layers", [&](Node const& node) {
    std::string_view const type =
        node.entries.empty() ? std::string_view() : std::string_view(node.entries.front().key);
    layer(node, counts[type]);
  });
}

namespace {

/// Whether what is said of a layer holds although values of parameters are not known.
bool holds_without_values(Diagnostic const& diagnostic) {
  static DiagnosticInfo const* const infos[] = {
      &diagnostics::unknown_field,    &diagnostics::unknown_type, &diagnostics::wrong_type,
      &diagnostics::ambiguous_scalar, &diagnostics::not_a_choice, &diagnostics::out_of_range};
  return std::ranges::find(infos, diagnostic.info) != std::end(infos) &&
         std::ranges::none_of(diagnostic.values, [](MessageValue const& value) {
           // A mapping may be a `repeat` in a list, or weights in place.
           return value.text.find("${") != std::string::npos || value.text == "a mapping";
         });
}

}  // namespace

void SectionReader::uncalled_modules(Node const& section) const {
  for (auto const& module : section.entries)
    if (auto const* found = module.value.find("layers"); found && !module.key.starts_with("x-"))
      uncalled_layers(found->value, section);
}

void SectionReader::uncalled_layers(Node const& layers, Node const& modules) const {
  Report told;
  Experiment unused;
  SectionReader const read{declarations, told, unused};
  std::size_t count = 0;
  for (auto const& node : layers.items) {
    if (auto const* repeat = fields_of(node, "repeat")) {
      check_keys(*repeat, "repeat", repeat_keys, report);
      if (auto const* entries = repeat->find("entries")) uncalled_layers(entries->value, modules);
    } else if (auto const* call = fields_of(node, "call")) {
      check_keys(*call, "call", call_keys, report);
      uncalled_parameters(*call, modules);
    } else {
      read.layer(node, count);
    }
  }
  for (auto const& diagnostic : told.diagnostics())
    if (holds_without_values(diagnostic)) take_over(diagnostic, report);
}

void SectionReader::uncalled_parameters(Node const& call, Node const& modules) const {
  auto const* name = call.find("module");
  auto const* given = call.find("with");
  auto const* module = name != nullptr ? modules.find(name->value.text) : nullptr;
  if (given == nullptr || module == nullptr) return;
  std::vector<std::string_view> names;
  if (auto const* parameters = module->value.find("parameters"))
    for (auto const& parameter : parameters->value.entries) names.push_back(parameter.key);
  check_keys(given->value, module->key, names, report);
}

void SectionReader::layer(Node const& node, std::size_t& count) const {
  auto const typed = read_entry(node, "a layer", declarations.layer_list, report);
  if (!typed) return;
  ++count;  // entries switched off count too, so that other names stay as they are
  if (!typed->enabled) return;
  auto object = typed->type->create(), shared = declarations.layer.create();
  FieldTarget targets[] = {{typed->type, object.get(), {}},
                           {&declarations.layer, shared.get(), {}}};
  FieldSurroundings const around{typed->type->name,
                                 typed->type_span,
                                 {"enabled"},
                                 declarations.layer_list,
                                 typed->reported_field};
  read_fields(targets, *typed->body, around, report);

  auto const& body = *typed->body;
  LayerEntry entry;
  entry.declaration = {typed->type,
                       std::move(object),
                       typed->span,
                       typed->type_span,
                       std::move(targets[0].places),
                       read_parts(*typed->type, body, report)};
  entry.common = {&declarations.layer,
                  std::move(shared),
                  typed->span,
                  typed->type_span,
                  std::move(targets[1].places),
                  read_parts(declarations.layer, body, report)};
  entry.span = typed->span;
  entry.freeze = entry.common.as<sections::layer>().freeze;
  if (entry.common.as<sections::layer>().data_layout == DataLayout::model_parallel)
    entry.model_parallel = entry.common.place_of("data_layout");
  entry.datatype = data_type_of(entry.common.as<sections::layer>().datatype);
  entry.name = {std::string(typed->type->name) + "_" + std::to_string(count), typed->type_span};
  auto const named = [&](std::string_view key, auto&& take, bool dots) {
    auto const* found = body.find(key);
    if (found == nullptr) return;
    auto list = names(found->value);
    for (auto const& name : list) check_name(name, dots);
    take(std::move(list));
  };
  named(
      "name",
      [&](std::vector<Name> list) {
        if (list.empty()) return;
        entry.name = std::move(list.front());
        entry.named = entry.name.span != typed->type_span;  // else calls counted it
      },
      false);
  named(
      "parents", [&](std::vector<Name> list) { entry.parents = std::move(list); }, true);
  named(
      "children", [&](std::vector<Name> list) { entry.children = std::move(list); }, true);
  named(
      "weights", [&](std::vector<Name> list) { entry.weights = std::move(list); }, true);
  named(
      "weights_of",
      [&](std::vector<Name> list) {
        if (!list.empty()) entry.weights_of = std::move(list.front());
        entry.shares_as_part = !body.find("weights_of")->key_span.known();
      },
      true);
  named(
      "hint_layer",
      [&](std::vector<Name> list) {
        if (!list.empty()) entry.hint_layer = std::move(list.front());
      },
      true);
  // One that a user writes is an annotation.
  if (auto const* calls = body.find(calls_field); calls != nullptr && !calls->key_span.known())
    entry.calls = calls->value.text;
  experiment.layers.push_back(std::move(entry));
}

void SectionReader::weights(Node const& section) const {
  list(section, "weights", [&](Node const& node) {
    if (!mapping(node, "weights") || !is_enabled(node, report)) return;
    WeightsEntry entry;
    entry.declaration =
        read_section(declarations.weights, node, {node.span.file, node.span.begin, node.span.begin},
                     {"initializer", "optimizer", "enabled"}, report);
    entry.span = node.span;
    auto const& values = entry.declaration.as<sections::weights>();
    entry.datatype = data_type_of(values.datatype);
    entry.shards = read_shards(node, values.sharded, values.sharding_strategy, report);
    if (auto const* name = node.find("name"))
      if (auto list = names(name->value); !list.empty() && check_name(list.front(), true))
        entry.name = std::move(list.front());
    auto const declared = [&](std::string_view key, std::string_view what,
                              std::vector<DeclarationType const*> const& types) {
      auto const* found = node.find(key);
      if (found == nullptr) return Declaration{};
      return read_declaration(found->value, what, types, report).value_or(Declaration{});
    };
    entry.initializer = declared("initializer", "an initializer", declarations.initializer_list);
    entry.optimizer = declared("optimizer", "an optimizer", declarations.optimizer_list);
    experiment.weights.push_back(std::move(entry));
  });
}

void SectionReader::objective(Node const& section) const {
  list(section, "objective_function", [&](Node const& node) {
    auto const typed = read_entry(node, "an objective term", declarations.objective_list, report);
    if (!typed || !typed->enabled) return;
    auto const declaration = read_declaration(*typed, declarations.objective_list, report);
    if (!declaration) return;
    auto const& type = *declarations.objective_terms.find(declaration->type->name);
    auto const* object = declaration->object.get();
    ObjectiveTerm term;
    term.declaration = *declaration;
    term.span = node.span;
    term.scale_factor = type.scale_factor(object);
    if (auto const* layer = type.layer(object))
      term.layer = {*layer, declaration->place_of("layer")};
    else if (auto const* weights = typed->body->find("weights"))
      term.weights = names(weights->value);
    experiment.objective.push_back(std::move(term));
  });
}

void SectionReader::metrics(Node const& section) const {
  list(section, "metrics", [&](Node const& node) {
    auto const declaration = read_declaration(node, "a metric", declarations.metric_list, report);
    if (!declaration || !*declaration) return;
    MetricEntry entry;
    entry.declaration = *declaration;
    entry.span = node.span;
    auto const declared = [&](MetricType const& type) {
      return &type.declaration == declaration->type;
    };
    auto const external = std::ranges::find_if(declarations.external_metrics, declared);
    bool const of_layer = external == declarations.external_metrics.end();
    auto const& type =
        of_layer ? *std::ranges::find_if(declarations.layer_metrics, declared) : *external;
    entry.name = {type.shown_name(declaration->object.get()), declaration->place_of("name")};
    if (of_layer) {
      auto const& read = declaration->as<metrics::layer_metric>();
      entry.layer = {read.layer, declaration->place_of("layer")};
      entry.unit = read.unit;
    }
    for (auto const* others : {&experiment.metrics, &experiment.external_metrics})
      for (auto const& other : *others)
        if (other.name.text == entry.name.text)
          report.add(diagnostics::duplicate_name, entry.name.span, {"metrics", entry.name.text})
              .labels.push_back({other.name.span, "first here"});
    (of_layer ? experiment.metrics : experiment.external_metrics).push_back(std::move(entry));
  });
}

void SectionReader::callbacks(Node const& section) const {
  list(section, "callbacks", [&](Node const& node) {
    auto declaration = read_declaration(node, "a callback", declarations.callback_list, report);
    if (declaration && *declaration) experiment.callbacks.push_back(std::move(*declaration));
  });
}

}  // namespace lbann::compiler
