// Pass: what a model says is possible, but is hardly what is meant.
#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "compiler/graph/check_callbacks.hpp"
#include "compiler/graph/predicted_layers.hpp"
#include "compiler/passes/graph_passes.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler {

namespace {

/// What is known of each layer; layers stand behind their parents.
class Meaning {
 public:
  explicit Meaning(Compilation& compilation)
      : compilation_(compilation), graph_(compilation.graph), report_(compilation.report) {
    for (auto const& layer : graph_.layers) {
      bool const forwards = layer.type->gives == Values::as_input && !layer.parents.empty();
      origin_.push_back(forwards ? origin_[layer.parents[0].layer.index()] : &layer);
      learns_.push_back(!layer.weights.empty() ||
                        std::ranges::any_of(layer.parents, [&](Edge const& parent) {
                          return learns_[parent.layer.index()];
                        }));
    }
  }

  void check_losses() {
    for (auto const& layer : graph_.layers)
      if (layer.type->compares && layer.parents.size() == 2) check_loss(layer);
  }

  /// Weights that have an optimizer and get no gradient.
  void check_objective() {
    auto const& training = compilation_.experiment.training;
    bool const trains = training.max_epochs > 0 || training.max_batches > 0;
    if (!trains || graph_.weights.empty()) return;
    if (graph_.objective_terms.empty() && graph_.regularizations.empty()) {
      report_.add(diagnostics::no_objective, compilation_.experiment.layers_span);
      return;
    }
    auto const reached = reached_weights();
    std::vector<bool> told(graph_.weights.size(), false);
    for (auto const& layer : graph_.layers) {
      bool tells = false;
      for (auto const weights : layer.weights) {
        if (reached[weights.index()] || told[weights.index()]) continue;
        told[weights.index()] = true;
        tells = tells || static_cast<bool>(graph_.weights[weights.index()].optimizer);
      }
      if (tells) report_.add(diagnostics::unreached_weights, layer.span, {layer.name});
    }
  }

  void check_means() {
    auto const when = when_samples_are_alone();
    if (when.empty()) return;
    for (auto const& layer : graph_.layers)
      if (auto const numbers = layer.type->numbers_with_one_mean;
          numbers != nullptr && numbers(layer.outputs[0]) == 1)
        report_.add(diagnostics::mean_of_one, layer.span, {when, layer.name});
  }

  /// Layers at which the model ends without a use. One that gives probabilities is a prediction.
  void check_uses() {
    if (graph_.objective_terms.empty()) return;  // all of it is without a use then
    auto const named = layers_of_callbacks();
    if (!named) return;
    auto const is_dropped = [&](LayerId child) {
      return graph_[child].type->discards_input && !graph_[child].inserted_by.empty();
    };
    for (std::size_t i = 0; i < graph_.layers.size(); ++i) {
      auto const& layer = graph_.layers[i];
      if (!layer.inserted_by.empty() || layer.children.empty() || named->contains(layer.name) ||
          !layer.weights.empty() ||  // as `check_objective` tells, unless they are frozen
          !std::ranges::all_of(layer.children, is_dropped))
        continue;
      auto const gives = origin_[i]->type->gives;
      if (gives != Values::probabilities && gives != Values::logarithms)
        report_.add(diagnostics::unused_layer, layer.span, {layer.name});
    }
  }

  /// Fields of the training data that no input layer takes: those that the experiment names at the
  /// reader, and samples where only targets are taken. Targets are given whether they are wanted or
  /// not.
  void check_data() {
    std::set<std::string_view> taken;
    for (auto const& layer : graph_.layers)
      if (auto const* field = data_field_of(layer)) taken.insert(*field);
    if (taken.empty()) return;  // a model of random numbers or constants
    bool const only_targets = std::ranges::all_of(taken, is_target);
    for (auto const& reader : compilation_.experiment.readers) {
      if (reader.role != ExecutionMode::training) continue;
      for (auto const& field : reader.fields) {
        bool const is_named =
            field.name.span != reader.declaration.type_span && !is_target(field.name.text);
        bool const is_missed = field.name.text == "samples" && only_targets;
        if (!taken.contains(field.name.text) && (is_named || is_missed))
          report_.add(diagnostics::unused_data_field, field.name.span, {field.name.text});
      }
    }
  }

  /// Layers that have no weights of which ranks could hold parts, or have them split already.
  void check_layouts() {
    std::vector<bool> split(graph_.weights.size(), false);
    for (auto const& layer : graph_.layers) {
      bool const asked = layer.model_parallel || compilation_.experiment.model_parallel;
      if (asked && layer.type->distributes_weights)
        for (auto const id : layer.weights) {
          split[id.index()] = true;
          if (auto const& weights = graph_.weights[id.index()]; !weights.shards.empty())
            report_.add(diagnostics::no_effect, weights.span,
                        {"sharded", "those of the model-parallel layer `" + layer.name +
                                        "` are split over rows and columns"});
        }
      if (!layer.model_parallel || layer.type->distributes_weights) continue;
      auto const name = "`" + std::string(layer.type->declaration.name) + "`";
      report_.add(diagnostics::no_effect, *layer.model_parallel,
                  {"data_layout", layer.weights.empty()
                                      ? name + " works on what it takes as it is distributed"
                                      : "weights of " + name + " are whole on every rank"});
    }
    check_update_shards(split);
  }

 private:
  /// In words, or empty where each sample has others beside it.
  std::string when_samples_are_alone() const {
    auto const& experiment = compilation_.experiment;
    if (experiment.micro_batch_size() == 1) return "with mini-batches of one sample";
    for (auto const& reader : experiment.readers)
      if (reader.role == ExecutionMode::training && experiment.accumulate == 1 &&
          reader.trained_on > experiment.mini_batch_size &&
          reader.trained_on % experiment.mini_batch_size == 1)
        return "in the last mini-batch of an epoch, which has one of the " +
               std::to_string(reader.trained_on) + " samples,";
    return {};
  }

  /// Names that callbacks refer to; nothing where one of them is about all layers.
  std::optional<std::set<std::string>> layers_of_callbacks() const {
    std::set<std::string> names;
    for (auto const* callback : all_callbacks(compilation_.experiment)) {
      auto const* type = compilation_.callback_types.find(callback->type->name);
      if (type == nullptr) continue;
      for (auto const& [field, referent] : type->references) {
        if (referent != callbacks::Referent::layer &&
            referent != callbacks::Referent::optional_layer)
          continue;
        auto const texts = texts_in(*callback, field);
        if (texts.empty() && referent == callbacks::Referent::layer) return std::nullopt;
        names.insert(texts.begin(), texts.end());
      }
    }
    return names;
  }

  /// `split`: weights of model-parallel layers.
  void check_update_shards(std::vector<bool> const& split) {
    auto const& experiment = compilation_.experiment;
    if (experiment.update_shards.empty()) return;
    for (std::size_t i = 0; i < split.size(); ++i)
      if (auto const& weights = graph_.weights[i]; weights.optimizer && weights.dims.size() > 1 &&
                                                   weights.shards.empty() &&
                                                   experiment.shards.empty() && !split[i])
        return;
    report_.add(diagnostics::no_effect, experiment.trainer.place_of("shard_updates"),
                {"shard_updates", "no matrix that every rank holds is trained"});
  }

  void check_loss(GraphLayer const& loss) {
    auto const &prediction = loss.parents[0], &truth = loss.parents[1];
    if (!learns_[prediction.layer.index()] && learns_[truth.layer.index()]) {
      auto& swapped = report_.add(diagnostics::swapped_parents, loss.span,
                                  {loss.name, origin_[truth.layer.index()]->name});
      if (is_written_so(prediction) && is_written_so(truth))
        swapped.edits = {{prediction.span, name_of(truth)}, {truth.span, name_of(prediction)}};
      return;
    }
    auto const& layer = *origin_[prediction.layer.index()];
    auto const* const wrong = misfit(*loss.type->compares, layer.type->gives);
    if (wrong == nullptr) return;
    auto& told = report_.add(*wrong, loss.span,
                             {loss.name, layer.name, std::string(layer.type->declaration.name)});
    told.labels.push_back({layer.span, "gives these"});
    if (layer.type->gives == Values::scores) told.edits = layer_before(loss);
    if (layer.type->gives == Values::logarithms) told.edits = without_logarithm(loss, layer);
  }

  /// Of the layer that the user named as a parent: passes may have put others between.
  std::string name_of(Edge const& parent) const {
    auto const* layer = &graph_.layers[parent.layer.index()];
    while (!layer->inserted_by.empty() && layer->parents.size() == 1)
      layer = &graph_.layers[layer->parents[0].layer.index()];
    return layer->name;
  }

  /// Whether what stands at the place of a parent is its name: layers of modules have longer ones.
  bool is_written_so(Edge const& parent) const {
    auto const name = name_of(parent);
    constexpr std::size_t quotes = 2;
    auto const size = parent.span.end - parent.span.begin;
    return parent.span.known() && (size == name.size() || size == name.size() + quotes);
  }

  /// Edits that put the layer between a loss and its prediction that gives what it compares, or let
  /// the loss take one that is there.
  std::vector<TextEdit> layer_before(GraphLayer const& loss) const {
    auto const& prediction = loss.parents[0];
    auto const between = std::string(loss.type->made_of_scores_by), parent = name_of(prediction);
    if (between.empty() || !is_written_so(prediction)) return {};
    auto const serves = [&](GraphLayer const& layer) {
      return layer.type->declaration.name == between && layer.parents.size() == 1 &&
             name_of(layer.parents[0]) == parent;
    };
    auto const there = std::ranges::find_if(graph_.layers, serves);
    if (there != graph_.layers.end()) return {{prediction.span, there->name}};
    auto const name = parent + "_" + between;
    if (std::ranges::find(graph_.layers, name, &GraphLayer::name) != graph_.layers.end()) return {};
    return {{loss.declaration.type_span, between + ": {name: " + name + ", parents: " + parent +
                                             "}\n- " + std::string(loss.type->declaration.name)},
            {prediction.span, name}};
  }

  /// An edit that makes the layer that nothing but this loss takes give what the loss compares.
  std::vector<TextEdit> without_logarithm(GraphLayer const& loss, GraphLayer const& layer) const {
    auto const& prediction = loss.parents[0];
    std::string type(loss.type->made_of_scores_by);
    if (type.empty() || !is_written_so(prediction) || name_of(prediction) != layer.name ||
        layer.children.size() != 1)
      return {};
    return {{layer.declaration.type_span, std::move(type)}};
  }

  /// What is wrong with values that are given where others are taken.
  static DiagnosticInfo const* misfit(Values taken, Values given) {
    if (taken == Values::probabilities && given == Values::scores)
      return &diagnostics::scores_as_probabilities;
    if (taken == Values::probabilities && given == Values::logarithms)
      return &diagnostics::logarithms_as_probabilities;
    if (taken == Values::scores && given == Values::probabilities)
      return &diagnostics::probabilities_as_scores;
    return nullptr;
  }

  /// Per weights: whether the objective depends on them.
  std::vector<bool> reached_weights() const {
    std::vector<bool> layers(graph_.layers.size(), false), weights(graph_.weights.size(), false);
    for (auto const& term : graph_.objective_terms) layers[term.evaluation.index()] = true;
    for (std::size_t i = layers.size(); i-- > 0;) {
      if (!layers[i]) continue;
      for (auto const& parent : graph_.layers[i].parents) layers[parent.layer.index()] = true;
      for (auto const id : graph_.layers[i].weights) weights[id.index()] = true;
    }
    for (auto const& term : graph_.regularizations)
      for (auto const id : term.weights) weights[id.index()] = true;
    return weights;
  }

  Compilation& compilation_;
  Graph const& graph_;
  Report& report_;
  std::vector<GraphLayer const*> origin_;  ///< of its values: itself, or what it passes on
  std::vector<bool> learns_;               ///< whether weights act on it
};

}  // namespace

void check_meaning(Compilation& compilation) {
  Meaning meaning(compilation);
  meaning.check_losses();
  meaning.check_objective();
  meaning.check_means();
  meaning.check_uses();
  meaning.check_data();
  meaning.check_layouts();
}

}  // namespace lbann::compiler
