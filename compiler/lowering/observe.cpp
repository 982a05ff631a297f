// Pass: `train.observed` and `evaluate.observed`, whose results are the values that callbacks read.
#include <algorithm>
#include <compare>
#include <set>
#include <tuple>

#include "compiler/graph/check_callbacks.hpp"
#include "compiler/lowering/copy_entry.hpp"
#include "compiler/lowering/lowering_passes.hpp"
#include "schemas/callbacks/execution_modes.hpp"

namespace lbann::compiler {

namespace {

class Observing {
 public:
  explicit Observing(Compilation& compilation) : compilation_(compilation) {
    for (auto const* callback : all_callbacks(compilation.experiment)) look_at(*callback);
  }

  void emit() {
    for (std::string const entry : {"train", "evaluate"}) emit(entry);
  }

 private:
  /// What is observed, without the tensor it will be in.
  struct Wish {
    Observable observable;
    std::string entry, name;
    std::size_t index;
    TensorId source;
    Shape shape;  ///< of the result; the source has as many elements
    friend auto operator<=>(Wish const& a, Wish const& b) {
      return std::tie(a.entry, a.observable, a.name, a.index) <=>
             std::tie(b.entry, b.observable, b.name, b.index);
    }
    friend bool operator==(Wish const& a, Wish const& b) { return (a <=> b) == 0; }
  };

  void look_at(Declaration const& callback) {
    auto const* type = compilation_.callback_types.find(callback.type->name);
    if (type == nullptr) return;
    auto const observed = type->observes(callback.object.get());
    for (auto const& [layers, modes] : observed.outputs) outputs(layers, modes);
    if (observed.gradients) gradients();
    if (observed.error_signals) error_signals();
  }

  void gradients() {
    auto const& state = compilation_.state;
    for (std::size_t i = 0; i < state.gradients.size(); ++i) {
      auto const& weights = compilation_.graph.weights[i];
      if (auto const gradient = state.gradients[i]; gradient.valid())
        wishes_.insert({Observable::gradient, "train", weights.name, 0, gradient, matrix(weights)});
    }
  }

  /// Weights as LBANN's matrix.
  static Shape matrix(GraphWeights const& weights) {
    std::int64_t height = 1, width = 1;
    for (std::size_t i = 0; i < weights.dims.size(); ++i)
      (i + weights.width_dims < weights.dims.size() ? height : width) *= weights.dims[i];
    return Shape({{height, false}, {width, false}});
  }

  /// Of the outputs of all layers that the user wrote and that the objective depends on.
  void error_signals() {
    auto const& state = compilation_.state;
    for (std::size_t layer = 0; layer < state.outputs.size(); ++layer) {
      auto const& written = compilation_.graph.layers[layer];
      for (std::size_t i = 0; i < state.outputs[layer].size() && written.inserted_by.empty(); ++i) {
        auto const output = state.outputs[layer][i];
        auto const signal = state.error_signals[output.index()];
        if (signal.valid() && !is_state(compilation_.program[output].role))
          wishes_.insert({Observable::error_signal, "train", written.name, i, signal,
                          compilation_.program[output].type.shape});
      }
    }
  }

  /// Outputs of these layers (all if there are none) in these phases.
  void outputs(std::vector<std::string> const& names, std::vector<std::string> const& modes) {
    auto const& graph = compilation_.graph;
    auto const& state = compilation_.state;
    bool const train = callbacks::acts_in(modes, ExecutionMode::training);
    bool const evaluate = callbacks::acts_in(modes, ExecutionMode::validation) ||
                          callbacks::acts_in(modes, ExecutionMode::testing);
    for (std::size_t layer = 0; layer < graph.layers.size(); ++layer) {
      auto const& name = graph.layers[layer].name;
      if (!names.empty() && std::find(names.begin(), names.end(), name) == names.end()) continue;
      for (std::size_t i = 0; i < graph.layers[layer].outputs.size(); ++i) {
        auto const wish = [&](std::string const& entry, TensorId source) {
          wishes_.insert({Observable::output, entry, name, i, source,
                          compilation_.program[source].type.shape});
        };
        if (train) wish("train", state.outputs[layer][i]);
        if (evaluate) wish("evaluate", state.evaluated_outputs[layer][i]);
      }
    }
  }

  void emit(std::string const& entry) {
    constexpr std::string_view pass = "observe";
    auto const begin = std::find_if(wishes_.begin(), wishes_.end(),
                                    [&](Wish const& wish) { return wish.entry == entry; });
    if (begin == wishes_.end()) return;
    auto& program = compilation_.program;
    EntryCopy copy{entry, entry + ".observed", std::string(pass)};
    copy_entry(program, copy);
    WidenedTensors widened(program, copy.to, pass);
    for (auto at = begin; at != wishes_.end() && at->entry == entry; ++at) {
      auto const found = copy.renamed.find(at->source);
      auto const source = found == copy.renamed.end() ? at->source : found->second;
      Tensor result;
      result.name = "observed." + entry + "/" + at->name + "." + std::to_string(at->index) + "." +
                    std::string(observable_names[static_cast<std::size_t>(at->observable)]);
      result.type = {compute_type_of(program[source].type.type), at->shape};
      result.role = TensorRole::result;
      result.origin = program[source].origin;
      result.origin.pass = pass;
      auto const origin = result.origin;
      auto const id = program.add(std::move(result));
      auto const wide = widened.of(source);
      program.entry_point(copy.to)->instructions.push_back(
          {operators::reshape{at->shape}, {wide}, {id}, origin});
      compilation_.state.observations.push_back(
          {at->observable, at->name, static_cast<std::int64_t>(at->index), entry, id});
    }
  }

  Compilation& compilation_;
  std::set<Wish> wishes_;  ///< those of an entry point stand together
};

}  // namespace

std::vector<TensorId> observed_outputs(Compilation const& compilation) {
  std::set<std::string> names;
  bool all = false;
  for (auto const* callback : all_callbacks(compilation.experiment)) {
    auto const* type = compilation.callback_types.find(callback->type->name);
    if (type == nullptr) continue;
    auto const observed = type->observes(callback->object.get());
    all = all || observed.error_signals;
    for (auto const& outputs : observed.outputs) {
      all = all || outputs.layers.empty();
      names.insert(outputs.layers.begin(), outputs.layers.end());
    }
  }
  std::vector<TensorId> tensors;
  auto const& state = compilation.state;
  for (std::size_t layer = 0; layer < compilation.graph.layers.size(); ++layer)
    if (all || names.contains(compilation.graph.layers[layer].name))
      for (auto const* outputs : {&state.outputs[layer], &state.evaluated_outputs[layer]})
        std::ranges::copy_if(*outputs, std::back_inserter(tensors), &TensorId::valid);
  return tensors;
}

void observe(Compilation& compilation) { Observing(compilation).emit(); }

}  // namespace lbann::compiler
