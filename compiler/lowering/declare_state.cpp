// Inputs, results and state of the program.
#include "compiler/lowering/declare_state.hpp"

#include <algorithm>

#include "compiler/graph/check_callbacks.hpp"
#include "compiler/graph/model_view.hpp"
#include "compiler/lowering/weights_split.hpp"

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
  DataType field_type(std::string const& field) const;
  void fields();
  void trained(WeightsId id);
  void number_groups();
  void hyperparameters();
  void split_weights();
  void split_updates(WeightsId id);

  Compilation& compilation_;
  TensorNames& names_;
  ProgramState state_;
  /// Learning rate and counters are shared by weights whose optimizers are equal and that callbacks
  /// do not treat apart, so that their updates differ in nothing but the weights.
  struct Shared {
    Record optimizer;
    std::vector<std::int64_t> groups;
    TensorId learning_rate;
    std::vector<TensorId> counters;
  };
  std::vector<Shared> shared_;
  std::vector<std::vector<std::int64_t>> groups_of_weights_;
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

/// As the experiment says for all samples, otherwise the widest type of the input layers that take
/// the field, so that no number is rounded on its way to one.
DataType Declarer::field_type(std::string const& field) const {
  auto const& experiment = compilation_.experiment;
  if (experiment.sample_type) return *experiment.sample_type;
  std::optional<DataType> widest;
  for (auto const& layer : compilation_.graph.layers) {
    auto const* taken = data_field_of(layer);
    if (taken == nullptr || *taken != field) continue;
    auto const type = compute_type_of(layer.datatype.value_or(experiment.type));
    if (!widest || bytes_of(type) > bytes_of(*widest)) widest = type;
  }
  return *widest;
}

void Declarer::fields() {
  for (auto const& layer : compilation_.graph.layers) {
    auto const* field = data_field_of(layer);
    if (field == nullptr) continue;
    bool known = false;
    for (auto const& entry : state_.fields) known = known || entry.first == *field;
    if (!known)
      state_.fields.emplace_back(
          *field, add(*field, {field_type(*field), batched(layer.outputs[0])}, TensorRole::input,
                      {layer.name, {}, layer.span}));
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
  auto const& groups = groups_of_weights_[id.index()];
  auto found = std::ranges::find_if(shared_, [&](Shared const& shared) {
    return shared.optimizer == record && shared.groups == groups && !type.learns_rate;
  });
  if (found == shared_.end()) {
    Shared shared{
        record,
        groups,
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

/// Numbers every group of weights that a callback treats apart.
void Declarer::number_groups() {
  auto const model = model_view(compilation_.graph, compilation_.experiment);
  groups_of_weights_.resize(compilation_.graph.weights.size());
  std::int64_t number = 0;
  for (auto const* callback : all_callbacks(compilation_.experiment)) {
    auto const* type = compilation_.callback_types.find(callback->type->name);
    if (type == nullptr || type->groups == nullptr) continue;
    for (auto const& group : type->groups(callback->object.get(), model)) {
      for (auto const id : group) groups_of_weights_[id.index()].push_back(number);
      ++number;
    }
  }
}

/// Numbers that callbacks change, each once.
void Declarer::hyperparameters() {
  auto const model = model_view(compilation_.graph, compilation_.experiment);
  for (auto const* callback : all_callbacks(compilation_.experiment)) {
    auto const* type = compilation_.callback_types.find(callback->type->name);
    if (type == nullptr || type->varies == nullptr) continue;
    for (auto const& varied : type->varies(callback->object.get(), model)) {
      if (state_.hyperparameter(varied).valid()) continue;
      bool const of_layer = varied.of == callbacks::Hyperparameter::Of::layer;
      auto const& owner =
          of_layer ? model.layers[varied.owner].name : model.weights[varied.owner].name;
      state_.hyperparameters.emplace_back(
          varied, scalar(std::string(owner) + "/" + std::string(varied.field), DataType::f64,
                         TensorRole::statistic, {std::string(owner), {}, callback->span}));
    }
  }
}

/// Splits sharded weights, and marks those of model-parallel layers: `orient_weights` decides how
/// these lie.
void Declarer::split_weights() {
  for (std::size_t i = 0; i < compilation_.graph.weights.size(); ++i) {
    auto& tensor = compilation_.program[state_.weights[i]];
    auto const rank = tensor.type.shape.rank();
    auto shards = compilation_.graph.weights[i].shards;
    if (shards.empty() && rank > 1) shards = compilation_.experiment.shards;
    if (shards.empty() || rank == 0) continue;
    tensor.distribution.split.assign(rank, {});
    tensor.distribution.split[0] = shards;
  }
  bool const all = compilation_.experiment.model_parallel;
  for (auto const& layer : compilation_.graph.layers) {
    if (!layer.type->distributes_weights || (!all && !layer.model_parallel)) continue;
    for (auto const id : layer.weights) {
      auto& tensor = compilation_.program[state_.weights[id.index()]];
      tensor.distribution.split = undecided_split(tensor.type.shape.rank());
    }
  }
}

/// Splits the gradient and the moments of a matrix that every rank holds whole.
void Declarer::split_updates(WeightsId id) {
  auto& program = compilation_.program;
  auto const& weights = program[state_.weights[id.index()]];
  auto const& shards = compilation_.experiment.update_shards;
  auto const rank = weights.type.shape.rank();
  if (shards.empty() || rank < 2 || !weights.distribution.split.empty()) return;
  auto owned = state_.moments[id.index()];
  owned.push_back(state_.gradients[id.index()]);
  for (auto const tensor : owned) {
    program[tensor].distribution.split.assign(rank, {});
    program[tensor].distribution.split[0] = shards;
  }
}

ProgramState Declarer::declare() {
  auto const& graph = compilation_.graph;
  // These names are looked for by others: they come first.
  state_.full_mini_batch = compilation_.experiment.micro_batch_size();
  state_.mini_batch = scalar("mini_batch_size", DataType::f64, TensorRole::input);
  state_.first_sample = scalar("first_sample", DataType::i64, TensorRole::input);
  if (compilation_.experiment.accumulate > 1) {
    state_.step_samples = scalar("step_samples", DataType::f64, TensorRole::input);
    state_.samples_before = scalar("samples_before", DataType::f64, TensorRole::input);
  }
  state_.seed = scalar("seed", DataType::i64, TensorRole::statistic);
  state_.step = scalar("step", DataType::i64, TensorRole::statistic);
  if (compilation_.experiment.loss_scale) {
    Origin const origin{"loss_scale", {}, compilation_.experiment.loss_scale->span};
    auto const scale = [&](std::string const& name) {
      return scalar(name, DataType::f64, TensorRole::statistic, origin);
    };
    state_.loss_scale = scale("loss_scale");
    state_.finite_steps = scale("loss_scale/finite_steps");
    state_.skipped_steps = scale("loss_scale/skipped_steps");
  }
  state_.objective =
      sums("objective", graph.objective_terms.empty() ? Span{} : graph.objective_terms[0].span);
  fields();
  number_groups();
  hyperparameters();
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
  split_weights();
  for (std::size_t i = 0; i < count; ++i) {
    if (!graph.weights[i].optimizer) continue;
    trained(WeightsId(i));
    split_updates(WeightsId(i));
  }
  for (auto const& metric : graph.metrics) state_.metrics.push_back(sums(metric.name, metric.span));
  return std::move(state_);
}

}  // namespace

ProgramState declare_state(Compilation& compilation, TensorNames& names) {
  return Declarer(compilation, names).declare();
}

}  // namespace lbann::compiler
