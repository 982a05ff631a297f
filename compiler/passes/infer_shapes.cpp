// Pass: dims of every output, from the data fields on.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "compiler/experiment/data_fields.hpp"
#include "compiler/layers/evaluation.hpp"
#include "compiler/layers/input.hpp"
#include "compiler/layers/rowwise_weights_norms.hpp"
#include "compiler/layers/shape_rules.hpp"
#include "compiler/layers/unpooling.hpp"
#include "compiler/passes/data_field_dims.hpp"
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

void check_mini_batch(Experiment const& experiment, Report& report) {
  for (auto const& reader : experiment.readers)
    if (reader.role == DataRole::train && reader.samples >= 0 &&
        experiment.mini_batch_size > reader.samples)
      report
          .add(experiment.caps_mini_batch ? diagnostics::mini_batch_capped
                                          : diagnostics::mini_batch_too_large,
               experiment.mini_batch_span,
               {std::to_string(experiment.mini_batch_size), std::to_string(reader.samples)})
          .labels.push_back({reader.span, "gives " + std::to_string(reader.samples) + " samples"});
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
      if (is_input(layer) && layer.outputs.empty()) fields_.complain(field_of(layer), layer);
  }

 private:
  /// What follows from an error stays unknown.
  enum class State : std::uint8_t { waiting, known, wrong };

  static bool is_input(GraphLayer const& layer) {
    return layer.type->declaration.name == layers::input::name;
  }
  static std::string const& field_of(GraphLayer const& layer) {
    return layer.declaration.as<layers::input>().data_field;
  }

  State infer(GraphLayer& layer);
  bool good(GraphLayer const& layer, LayerContext const& context, std::vector<Dims> const& outputs);
  void check_evaluation(GraphLayer const& layer, LayerContext const& context);

  /// Takes what a layer needs for the dims of a field that nobody tells.
  bool assume() {
    for (std::size_t i = 0; i < graph_.layers.size(); ++i)
      if (state_[i] == State::waiting && is_input(graph_.layers[i]) &&
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
  if (is_input(layer)) {
    auto const found = fields_.dims_of(field_of(layer), layer.declaration.place_of("data_field"));
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
  LayerContext const context{layer.name,
                             layer.declaration,
                             inputs,
                             layer.children.size(),
                             given,
                             compilation_.report,
                             [&](Diagnostic& diagnostic) {
                               if (auto chain = chain_to(graph_, layer); !chain.empty())
                                 diagnostic.notes.push_back("shapes so far: " + chain);
                             },
                             std::move(given_weights)};
  auto outputs = layer.type->output_dims(layer.declaration.object.get(), context);
  if (!outputs || !good(layer, context, *outputs)) return State::wrong;
  if (layer.type->declaration.name == layers::evaluation::name) check_evaluation(layer, context);
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
    context.complain(diagnostics::too_many_axes, is_input(layer) ? "data_field" : "",
                     {layer.name, to_text(*longest), std::to_string(longest->size()),
                      std::to_string(most_axes)});
    return false;
  }
  auto const mini_batch = compilation_.experiment.mini_batch_size;
  if (!std::ranges::all_of(
          outputs, [&](Dims const& dims) { return layers::fits_in_a_tensor(dims, mini_batch); })) {
    if (is_input(layer))
      compilation_.report.add(
          diagnostics::sample_too_large, layer.declaration.place_of("data_field"),
          {std::to_string(mini_batch), field_of(layer), to_text(*context.given_dims)});
    else
      context.complain(diagnostics::number_too_large, "", {layer.name});
    return false;
  }
  // To these it names a layer whose weights or window they take.
  auto const type = layer.type->declaration.name;
  bool const of_another_kind =
      type == layers::rowwise_weights_norms::name || type == layers::unpooling::name;
  if (layer.hint && !of_another_kind && context.given_dims && !outputs.empty() &&
      outputs[0] != *context.given_dims) {
    context.complain(
        diagnostics::hint_clash, "",
        {layer.name, to_text(outputs[0]), graph_[*layer.hint].name, to_text(*context.given_dims)});
    return false;
  }
  return true;
}

/// An objective adds up entries, as LBANN's does; a metric of several is a mistake.
void Inference::check_evaluation(GraphLayer const& layer, LayerContext const& context) {
  auto const& dims = context.inputs[0];
  if (layers::entries(dims) == 1) return;
  if (terms_.contains(LayerId(static_cast<std::size_t>(&layer - graph_.layers.data())).value))
    context.complain(diagnostics::entries_added, "", {to_text(dims)});
  else
    context.complain(diagnostics::not_a_number, "", {to_text(dims)});
}

}  // namespace

void infer_shapes(Compilation& compilation) {
  check_mini_batch(compilation.experiment, compilation.report);
  cap_mini_batch(compilation.experiment);
  Inference(compilation).run();
}

}  // namespace lbann::compiler
