// Source, experiment, graph, passes, plan: one line for each step.
#include "compiler/compile.hpp"

#include <algorithm>
#include <array>

#include "compiler/experiment/data_fields.hpp"
#include "compiler/experiment/expand.hpp"
#include "compiler/experiment/include.hpp"
#include "compiler/experiment/overrides.hpp"
#include "compiler/experiment/read_experiment.hpp"
#include "compiler/experiment/text.hpp"
#include "compiler/graph/build.hpp"
#include "compiler/lowering/lower.hpp"
#include "compiler/passes/pipeline.hpp"
#include "compiler/source/read_yaml.hpp"
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

Compiled compile(CompileOptions const& options, Vocabulary const& vocabulary) {
  Compiled result;
  auto& [sources, report, plan, dump, fault] = result;
  // Notes a stage's outcome; false where the way ends.
  auto const goes_on = [&](std::string_view stage, auto const& value) {
    if (report.has_errors()) return false;
    if (options.dump_after == stage) dump = to_text(value);
    return options.stop_after != stage;
  };

  sources.push_back({options.name, options.text});
  auto document = read_yaml(Source(sources.front()), 0, report);
  if (!document) return result;
  include_files(*document, options.folder, sources, report);
  apply_overrides(*document, options.overrides, sources, report);
  if (!goes_on("source", *document) || !check_sections(*document, report)) return result;

  expand(*document, vocabulary.layers, sources, report);
  if (report.has_errors()) return result;
  auto experiment = read_experiment(*document, vocabulary, report);
  complete_data_fields(experiment, vocabulary, options.fields, {options.data_root, options.folder},
                       sources, report);
  experiment.overrides = options.overrides;
  if (!goes_on("experiment", experiment)) return result;

  auto graph = build_graph(experiment, vocabulary.layers, report);
  if (!goes_on("graph", graph)) return result;

  Compilation compilation{experiment,
                          vocabulary.layers,
                          vocabulary.initializers,
                          vocabulary.optimizers,
                          report,
                          std::move(graph),
                          {},
                          {}};
  bool stopped = false;
  auto const done =
      run_passes(compilation, options.stop_after, [&](Pass const& pass, Compilation const& now) {
        if (options.dump_after == pass.name) dump = pass_text(pass, now);
        stopped = stopped || options.stop_after == pass.name;
      });
  if (!done.good()) fault = done.problem();
  if (fault || stopped || report.has_errors()) return result;

  plan = lower(std::move(compilation));
  plan->sources = sources;
  plan->overrides = options.overrides;
  if (options.dump_after == "plan") dump = to_text(plan->program);
  return result;
}

}  // namespace lbann::compiler
