// Pass: dims of every output, from the data fields on.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "compiler/layers/shape_rules.hpp"
#include "compiler/passes/data_field_dims.hpp"
#include "compiler/passes/equal_inputs.hpp"
#include "compiler/passes/graph_passes.hpp"
#include "schemas/diagnostics/catalogue.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::compiler {

namespace {

/// `samples [1, 28, 28] -> conv1 [20, 24, 24] -> ...` up to the parents of `layer`, along its first
/// parents, inserted layers left out.
std::string chain_to(Graph const& graph, GraphLayer const& layer) {
  constexpr int longest = 8;
  std::string text;
  auto const* at = &layer;
  for (int length = 0; !at->parents.empty();) {
    auto const edge = at->parents[0];
    at = &graph[edge.layer];
    if (!at->inserted_by.empty()) continue;
    if (++length > longest) return "... -> " + text;
    text = "`" + at->name + "` " +
           to_text(at->outputs[edge.output < at->outputs.size() ? edge.output : 0]) +
           (text.empty() ? "" : " -> ") + text;
  }
  return text;
}

/// Says where a mini-batch is larger than the training data: an error, or a warning that it has
/// been capped; and where it has no equal micro-batches.
void check_mini_batch(Experiment const& experiment, Report& report) {
  auto const wanted = experiment.uncapped_mini_batch.value_or(experiment.mini_batch_size);
  for (auto const& reader : experiment.readers)
    if (reader.role == ExecutionMode::training && reader.samples >= 0 && wanted > reader.samples)
      report
          .add(experiment.uncapped_mini_batch ? diagnostics::mini_batch_capped
                                              : diagnostics::mini_batch_too_large,
               experiment.mini_batch_span, {std::to_string(wanted), std::to_string(reader.samples)})
          .labels.push_back({reader.span, "gives " + std::to_string(reader.samples) + " samples"});
  if (experiment.mini_batch_size % experiment.accumulate != 0)
    report.add(diagnostics::uneven_micro_batches, experiment.trainer.place_of("accumulate"),
               {std::to_string(experiment.mini_batch_size), std::to_string(experiment.accumulate)});
}

/// Finds the outputs of one layer after the other.
class Inference {
 public:
  explicit Inference(Compilation& compilation)
      : compilation_(compilation),
        graph_(compilation.graph),
        fields_(compilation.experiment.readers, compilation.report),
        state_(graph_.layers.size(), State::waiting) {
    for (auto const& term : graph_.objective_terms) terms_.insert(term.evaluation.value);
  }

  void run() {
    do {
      for (std::size_t i = 0; i < graph_.layers.size(); ++i)
        if (state_[i] == State::waiting) state_[i] = infer(graph_.layers[i]);
    } while (assume());
    for (auto const& layer : graph_.layers)
      if (auto const* field = data_field_of(layer); field != nullptr && layer.outputs.empty())
        fields_.report_unknown(*field, layer);
  }

 private:
  /// What follows from an error stays unknown.
  enum class State : std::uint8_t { waiting, known, wrong };

  State infer(GraphLayer& layer);
  bool good(GraphLayer const& layer, LayerContext const& context, std::vector<Dims> const& outputs);

  /// Takes what a layer needs for the dims of a field that nobody tells.
  bool assume() {
    for (std::size_t i = 0; i < graph_.layers.size(); ++i)
      if (state_[i] == State::waiting && data_field_of(graph_.layers[i]) != nullptr &&
          fields_.assume(graph_, LayerId(i)))
        return true;
    return false;
  }

  Compilation& compilation_;
  Graph& graph_;
  DataFieldDims fields_;
  std::vector<State> state_;
  std::unordered_set<std::uint32_t> terms_;                 ///< evaluation layers of the objective
  std::unordered_map<std::string_view, WeightsRole> used_;  ///< weights, by the user's name
};

Inference::State Inference::infer(GraphLayer& layer) {
  auto const state_of = [&](LayerId id) { return state_[id.index()]; };
  std::vector<Dims> inputs;
  auto parents = layer.hint ? state_of(*layer.hint) : State::known;
  for (auto const& edge : layer.parents) {
    if (parents != State::known) return parents;
    parents = state_of(edge.layer);
    if (parents == State::known) inputs.push_back(graph_[edge.layer].outputs[edge.output]);
  }
  if (parents != State::known) return parents;
  std::optional<Dims> given;
  if (auto const* field = data_field_of(layer)) {
    auto const found = fields_.dims_of(*field, layer.declaration.place_of("data_field"));
    if (!found.dims) return found.wrong ? State::wrong : State::waiting;
    given = found.dims;
  } else if (layer.hint && !graph_[*layer.hint].outputs.empty()) {
    given = graph_[*layer.hint].outputs[0];
  }
  std::vector<std::optional<WeightsRole>> given_weights;
  for (auto const& name : layer.weights_names) {
    auto const found = used_.find(name.text);
    given_weights.push_back(found == used_.end() ? std::nullopt : std::optional(found->second));
  }
  LayerContext const context{
      layer.name,
      layer.declaration,
      inputs,
      layer.children.size(),
      given,
      compilation_.report,
      [&](Diagnostic& diagnostic) {
        if (auto chain = chain_to(graph_, layer); !chain.empty())
          diagnostic.notes.push_back("shapes so far: " + chain);
        if (diagnostic.info == &diagnostics::unequal_inputs)
          suggest_equal_inputs(graph_, layer, diagnostic);
      },
      std::move(given_weights),
      terms_.contains(LayerId(static_cast<std::size_t>(&layer - graph_.layers.data())).value)};
  auto outputs = layer.type->output_dims(layer.declaration.object.get(), context);
  if (!outputs || !good(layer, context, *outputs)) return State::wrong;
  layer.outputs = std::move(*outputs);
  if (layer.weights_names.empty()) return State::known;
  auto const roles = layer.type->weights(layer.declaration.object.get(), context);
  for (std::size_t role = 0; role < std::min(roles.size(), layer.weights_names.size()); ++role)
    used_.emplace(layer.weights_names[role].text, roles[role]);
  return State::known;
}

/// Whether `outputs` can be tensors and are what the hint says.
bool Inference::good(GraphLayer const& layer, LayerContext const& context,
                     std::vector<Dims> const& outputs) {
  constexpr auto most_axes = operators::rules::max_rank - 1;
  auto const longest =
      std::ranges::find_if(outputs, [](Dims const& dims) { return dims.size() > most_axes; });
  if (longest != outputs.end()) {
    context.report(diagnostics::too_many_axes, data_field_of(layer) != nullptr ? "data_field" : "",
                   {layer.name, to_text(*longest), std::to_string(longest->size()),
                    std::to_string(most_axes)});
    return false;
  }
  auto const mini_batch = compilation_.experiment.micro_batch_size();
  if (!std::ranges::all_of(
          outputs, [&](Dims const& dims) { return layers::fits_in_a_tensor(dims, mini_batch); })) {
    if (auto const* field = data_field_of(layer))
      compilation_.report.add(diagnostics::sample_too_large,
                              layer.declaration.place_of("data_field"),
                              {std::to_string(mini_batch), *field, to_text(*context.given_dims)});
    else
      context.report(diagnostics::number_too_large, "", {layer.name});
    return false;
  }
  if (layer.hint && layer.type->has_dims_of_hint && context.given_dims && !outputs.empty() &&
      outputs[0] != *context.given_dims) {
    context.report(
        diagnostics::hint_clash, "",
        {layer.name, to_text(outputs[0]), graph_[*layer.hint].name, to_text(*context.given_dims)});
    return false;
  }
  return true;
}

}  // namespace

void infer_shapes(Compilation& compilation) {
  check_mini_batch(compilation.experiment, compilation.report);
  Inference(compilation).run();
}

}  // namespace lbann::compiler
