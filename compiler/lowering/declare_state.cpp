// Inputs, results and state of the program.
#include "compiler/lowering/declare_state.hpp"

#include <algorithm>

#include "compiler/graph/check_callbacks.hpp"
#include "compiler/lowering/callback_targets.hpp"
#include "schemas/callbacks/alternate_updates.hpp"
#include "schemas/callbacks/perturb_learning_rate.hpp"

namespace lbann::compiler {

namespace {

class Declarer {
 public:
  Declarer(Compilation& compilation, TensorNames& names)
      : compilation_(compilation), names_(names) {}

  ProgramState declare();

 private:
  TensorId add(std::string const& name, TensorType type, TensorRole role, Origin origin);
  TensorId scalar(std::string const& name, DataType type, TensorRole role, Origin origin = {}) {
    return add(name, {type, {}}, role, std::move(origin));
  }
  ProgramState::Sums sums(std::string const& name, Span span);
  void fields();
  void trained(WeightsId id);
  void turns();

  Compilation& compilation_;
  TensorNames& names_;
  ProgramState state_;
  /// Learning rate and counters are shared by weights whose optimizers are equal and which the same
  /// callbacks act on, so that their updates differ in nothing but the weights.
  struct Shared {
    Record optimizer;
    std::vector<std::int64_t> callbacks;
    TensorId learning_rate;
    std::vector<TensorId> counters;
  };
  std::vector<Shared> shared_;
  std::vector<std::vector<std::int64_t>> callbacks_of_weights_;
};

TensorId Declarer::add(std::string const& name, TensorType type, TensorRole role, Origin origin) {
  Tensor tensor;
  tensor.name = names_.unique(name);
  tensor.type = std::move(type);
  tensor.role = role;
  tensor.origin = std::move(origin);
  return compilation_.program.add(std::move(tensor));
}

ProgramState::Sums Declarer::sums(std::string const& name, Span span) {
  Origin const origin{name, {}, span};
  return {scalar(name, DataType::f64, TensorRole::result, origin),
          scalar(name + "/train_sum", DataType::f64, TensorRole::statistic, origin),
          scalar(name + "/evaluate_sum", DataType::f64, TensorRole::statistic, origin)};
}

void Declarer::fields() {
  auto const& experiment = compilation_.experiment;
  auto const type = experiment.sample_type.value_or(experiment.type);
  for (auto const& layer : compilation_.graph.layers) {
    auto const* field = data_field_of(layer);
    if (field == nullptr) continue;
    bool known = false;
    for (auto const& entry : state_.fields) known = known || entry.first == *field;
    if (!known)
      state_.fields.emplace_back(*field, add(*field, {type, batched(layer.outputs[0])},
                                             TensorRole::input, {layer.name, {}, layer.span}));
  }
}

void Declarer::trained(WeightsId id) {
  auto const& weights = compilation_.graph.weights[id.index()];
  auto const& type = *compilation_.optimizer_types.find(weights.optimizer.type->name);
  auto const* object = weights.optimizer.object.get();
  Origin const origin{weights.name, {}, weights.span};
  auto const tensor = state_.weights[id.index()];
  auto const tensor_type = compilation_.program[tensor].type;
  state_.gradients[id.index()] =
      add(weights.name + "/gradient", tensor_type, TensorRole::gradient, origin);
  compilation_.program.tensors.back().owner = tensor;
  for (auto const& moment : type.moments(object)) {
    state_.moments[id.index()].push_back(
        add(weights.name + "/" + moment.suffix, tensor_type, TensorRole::moment, origin));
    auto& added = compilation_.program.tensors.back();
    added.owner = tensor;
    added.slot = static_cast<std::uint8_t>(state_.moments[id.index()].size() - 1);
  }
  auto const record = weights.optimizer.type->record(object);
  auto const& callbacks = callbacks_of_weights_[id.index()];
  auto found = std::ranges::find_if(shared_, [&](Shared const& shared) {
    return shared.optimizer == record && shared.callbacks == callbacks && !type.learns_rate;
  });
  if (found == shared_.end()) {
    Shared shared{
        record,
        callbacks,
        scalar(record.type + "/learning_rate", DataType::f64, TensorRole::statistic, origin),
        {}};
    for (auto const& counter : type.counters(object))
      shared.counters.push_back(
          scalar(record.type + "/" + counter.name, DataType::f64, TensorRole::statistic, origin));
    found = shared_.insert(shared_.end(), std::move(shared));
  }
  state_.learning_rates[id.index()] = found->learning_rate;
  state_.counters[id.index()] = found->counters;
}

/// Whose turn it is where groups of weights are trained in turn, and which callbacks make weights
/// differ from others with an equal optimizer.
void Declarer::turns() {
  auto const& graph = compilation_.graph;
  callbacks_of_weights_.resize(graph.weights.size());
  for (auto const* callback : all_callbacks(compilation_.experiment)) {
    auto const number = static_cast<std::int64_t>(state_.turns.size());
    bool const alternates = callback->type->name == callbacks::alternate_updates::name;
    auto const turn = alternates
                          ? scalar("alternate_updates/turn", DataType::f64, TensorRole::statistic,
                                   {std::string(callback->type->name), {}, callback->span})
                          : TensorId();
    state_.turns.push_back(turn);
    bool const singly = callback->type->name == callbacks::perturb_learning_rate::name;
    for (auto const id : scheduled_weights(graph, *callback)) {
      if (singly)
        callbacks_of_weights_[id.index()].push_back(-1 - static_cast<std::int64_t>(id.index()));
      callbacks_of_weights_[id.index()].push_back(2 * number);
    }
    if (!alternates) continue;
    auto const [first, second] =
        alternate_weights(graph, callback->as<callbacks::alternate_updates>());
    for (auto const id : first) callbacks_of_weights_[id.index()].push_back(2 * number);
    for (auto const id : second) callbacks_of_weights_[id.index()].push_back(2 * number + 1);
  }
}

ProgramState Declarer::declare() {
  auto const& graph = compilation_.graph;
  // These names are looked for by others: they come first.
  state_.full_mini_batch = compilation_.experiment.mini_batch_size;
  state_.mini_batch = scalar("mini_batch_size", DataType::f64, TensorRole::input);
  state_.first_sample = scalar("first_sample", DataType::i64, TensorRole::input);
  state_.seed = scalar("seed", DataType::i64, TensorRole::statistic);
  state_.step = scalar("step", DataType::i64, TensorRole::statistic);
  state_.objective =
      sums("objective", graph.objective_terms.empty() ? Span{} : graph.objective_terms[0].span);
  fields();
  turns();
  auto const count = graph.weights.size();
  state_.learning_rates.resize(count);
  state_.gradients.resize(count);
  state_.moments.resize(count);
  state_.counters.resize(count);
  for (auto const& weights : graph.weights)
    state_.weights.push_back(
        add(weights.name,
            {weights.datatype.value_or(compilation_.experiment.type), Shape(weights.dims)},
            TensorRole::weights, {weights.name, {}, weights.span}));
  for (std::size_t i = 0; i < count; ++i)
    if (graph.weights[i].optimizer) trained(WeightsId(i));
  for (auto const& metric : graph.metrics) state_.metrics.push_back(sums(metric.name, metric.span));
  return std::move(state_);
}

}  // namespace

ProgramState declare_state(Compilation& compilation, TensorNames& names) {
  return Declarer(compilation, names).declare();
}

}  // namespace lbann::compiler
