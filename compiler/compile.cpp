// Source, experiment, graph, passes, plan: one line for each step.
#include "compiler/compile.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>

#include "compiler/experiment/expanding/expand.hpp"
#include "compiler/experiment/expanding/include.hpp"
#include "compiler/experiment/expanding/overrides.hpp"
#include "compiler/experiment/probing/data_fields.hpp"
#include "compiler/experiment/probing/initial_values.hpp"
#include "compiler/experiment/probing/read_data_set_metadata.hpp"
#include "compiler/experiment/probing/read_hdf5_schemas.hpp"
#include "compiler/experiment/reading/number_ranges.hpp"
#include "compiler/experiment/reading/read_experiment.hpp"
#include "compiler/experiment/reading/unsupported.hpp"
#include "compiler/export/experiment_node.hpp"
#include "compiler/export/long_lists.hpp"
#include "compiler/export/modules.hpp"
#include "compiler/export/picture.hpp"
#include "compiler/export/plan_text.hpp"
#include "compiler/export/regularized.hpp"
#include "compiler/export/repeats.hpp"
#include "compiler/export/toml.hpp"
#include "compiler/export/yaml.hpp"
#include "compiler/graph/build.hpp"
#include "compiler/graph/check_callbacks.hpp"
#include "compiler/lowering/lower.hpp"
#include "compiler/memory_limit.hpp"
#include "compiler/passes/pipeline.hpp"
#include "compiler/read_document.hpp"
#include "compiler/source/allowances.hpp"
#include "compiler/source/text.hpp"

namespace lbann::compiler {

namespace {

constexpr std::array<StageInfo, 4> all_stages = {{
    {"source", "compiler/source", "bytes", "Document: every key and value knows its bytes",
     "syntax errors, duplicate keys"},
    {"experiment", "compiler/experiment", "Document", "Experiment: typed, defaults filled",
     "unknown keys, wrong types, missing fields"},
    {"graph", "compiler/graph", "Experiment", "Graph of layers, as the user wrote it",
     "dangling references, cycles"},
    {"plan", "compiler/lowering", "Graph, then Program, after all passes", "Plan",
     "anything the runtime would have to guess"},
}};

/// Names of all weights that are trained, in their order; none where what is missing or wrong does
/// not let them be known.
std::vector<std::string> trained_weights(Experiment experiment, Declarations const& declarations) {
  Report unseen;
  auto graph = build_graph(experiment, declarations.layers, unseen);
  Compilation trial{experiment,
                    declarations.layers,
                    declarations.initializers,
                    declarations.optimizers,
                    declarations.callbacks,
                    unseen,
                    std::move(graph),
                    {},
                    {}};
  auto const done = run_passes(trial, "resolve_weights");
  std::vector<std::string> names;
  if (!done.good() || unseen.has_errors()) return names;
  for (auto const& weights : trial.graph.weights)
    if (weights.optimizer) names.push_back(weights.name);
  return names;
}

/// The experiment in the language, as `--emit` wants it.
std::string source_text(Experiment const& experiment, Declarations const& declarations,
                        std::string_view emit) {
  auto node = to_node(experiment, declarations, Detail::minimal);
  if (auto const trained = trained_weights(experiment, declarations); !trained.empty())
    shorten_regularizations(node, trained);
  write_modules(node, declarations);
  if (emit == "toml") return to_toml(node);
  shorten_long_lists(node);
  write_repeats(node);  // tables of TOML would be single lines
  return to_yaml(node);
}

/// The graph after all passes over it, as `--emit` wants it.
Result<std::string> graph_text(Graph const& graph, std::string const& name, std::string_view emit) {
  if (emit == "graph") return to_text(graph);
  auto dot = to_dot(graph, name);
  return emit == "dot" ? Result<std::string>(std::move(dot)) : to_svg(dot);
}

bool emits_graph(std::string_view emit) {
  return emit == "graph" || emit == "dot" || emit == "svg";
}

/// The last pass over the graph.
std::string_view last_graph_pass() {
  std::string_view name;
  for (auto const& pass : pipeline())
    if (!pass.on_program) name = pass.name;
  return name;
}

std::string pass_text(Pass const& pass, Compilation const& compilation) {
  return pass.on_program ? to_text(compilation.program) : to_text(compilation.graph);
}

}  // namespace

std::span<StageInfo const> stages() { return all_stages; }

bool is_stopping_place(std::string_view name) {
  auto const named = [&](auto const& step) { return step.name == name; };
  auto const passes = pipeline();
  return std::any_of(all_stages.begin(), all_stages.end(), named) ||
         std::any_of(passes.begin(), passes.end(), named);
}

namespace {

/// The whole way with `level` where the experiment leaves it open what is computed again; `limit`
/// becomes what a rank may need.
Compiled compile_with(Recompute level, CompileOptions const& options,
                      Declarations const& declarations, MemoryLimit& limit) {
  Compiled result;
  auto& [sources, report, files, plan, dump, problem, internal_error, impossible_size] = result;
  auto const text_of = [&](auto const& value) {
    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, Experiment>)
      return to_yaml(to_node(value, declarations, Detail::full));
    else
      return to_text(value);
  };
  // Notes a stage's outcome; false where the way ends.
  auto const goes_on = [&](std::string_view stage, auto const& value) {
    if (report.has_errors()) return false;
    if (options.dump_after == stage) dump = text_of(value);
    return options.stop_after != stage;
  };

  Budget budget;
  auto document = read_document(options, declarations, sources, budget, report);
  if (!document) return result;
  include_files(*document, options.folder, options.edited, sources, budget, report);
  for (auto const& source : sources) files.push_back(source.name);
  apply_overrides(*document, options.overrides, sources, budget, report);
  take_allowances(*document, report);
  if (!goes_on("source", *document) || !check_sections(*document, report)) return result;

  auto const errors_of_sections = report.errors();
  expand(*document, declarations.layers, sources, budget, report);
  if (report.errors() > errors_of_sections) {
    report_misspelt_keys(*document, declarations, report);
    return result;
  }
  auto experiment = read_experiment(*document, declarations, report);
  document.reset();
  OpenContext const context{{options.data_root, options.folder},
                            options.python,
                            nullptr,
                            options.probe_python,
                            STDERR_FILENO};  // standard output is for the plan
  read_hdf5_schemas(experiment, declarations, context.places, sources, budget, report);
  read_data_set_metadata(experiment, declarations, context, report);
  complete_data_fields(experiment, declarations, options.fields, context, sources, report);
  probe_initial_values(experiment, declarations.initializers, context.places, report);
  files.insert(files.end(), experiment.files.begin(), experiment.files.end());
  check_number_ranges(experiment, report);
  experiment.overrides = options.overrides;
  experiment.caps_mini_batch = is_messages(options.syntax.value_or(syntax_of(options.name)));
  bool const emits_source = options.emit == "yaml" || options.emit == "toml";
  auto const unimplemented =
      report_unsupported(experiment, options.allow_unbuilt || emits_source, report);
  if (!goes_on("experiment", experiment)) return result;

  if (emits_source) {
    cap_mini_batch(experiment);
    dump = source_text(experiment, declarations, options.emit);
    return result;
  }

  auto graph = build_graph(experiment, declarations.layers, report);
  check_callbacks(experiment, declarations.callbacks, report);
  if (!goes_on("graph", graph)) return result;

  cap_mini_batch(experiment);
  bool const chooses = experiment.recompute == Recompute::automatic;
  limit = {experiment.memory_limit, experiment.memory_limit_span, chooses};
  if (chooses) experiment.recompute = level;
  Compilation compilation{experiment,
                          declarations.layers,
                          declarations.initializers,
                          declarations.optimizers,
                          declarations.callbacks,
                          report,
                          std::move(graph),
                          {},
                          {}};
  bool stopped = false;
  auto const last = emits_graph(options.emit) ? last_graph_pass() : options.stop_after;
  auto const done = run_passes(compilation, last, [&](Pass const& pass, Compilation const& now) {
    if (options.dump_after == pass.name) dump = pass_text(pass, now);
    if (pass.name == last && emits_graph(options.emit)) {
      auto drawn = graph_text(now.graph, experiment.name, options.emit);
      if (drawn.good())
        dump = std::move(drawn).value();
      else
        problem = drawn.problem();
      stopped = true;
    }
    stopped = stopped || options.stop_after == pass.name;
  });
  if (!done.good()) internal_error = done.problem();
  if (internal_error || stopped || report.has_errors()) return result;

  plan = lower(std::move(compilation));
  plan->sources = sources;
  plan->overrides = options.overrides;
  plan->unimplemented = unimplemented;
  std::sort(plan->unimplemented.begin(), plan->unimplemented.end());
  if (options.dump_after == "plan") dump = to_text(plan->program);
  if (options.emit == "plan-text") dump = to_text(*plan);
  return result;
}

}  // namespace

Compiled compile(CompileOptions const& options, Declarations const& declarations) {
  MemoryLimit limit;
  auto const with = [&](Recompute level) {
    return compile_with(level, options, declarations, limit);
  };
  auto compiled = with(Recompute::none);
  if (!compiled.plan || limit.bytes == 0) return compiled;
  return compile_within(limit, options.size, std::move(compiled), with);
}

}  // namespace lbann::compiler
