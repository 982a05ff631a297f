// What a plan must keep, beyond what its types can say.
#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "schemas/files/file_name.hpp"
#include "schemas/plan/plan.hpp"
#include "schemas/plan/verify_declared.hpp"
#include "schemas/program/distribution.hpp"

namespace lbann {

namespace {

/// Most axes of a tensor, as kernels take them.
constexpr std::size_t largest_rank = 8;

class PlanVerifier {
 public:
  explicit PlanVerifier(Plan const& plan) : plan_(plan) {}
  std::optional<std::string> run();

 private:
  void require(bool kept, std::string const& message) {
    if (!kept && !fault_) fault_ = message;
  }
  Tensor const* tensor(TensorId id) const {
    return id.index() < plan_.program.tensors.size() ? &plan_.program.tensors[id.index()] : nullptr;
  }
  void check_span(Span span, std::string const& where);
  void check_type(DataType type, std::string const& what) {
    require(type == DataType::f32 || type == DataType::f64,
            what + " cannot compute in " + std::string(name_of(type)));
  }
  void check_sources();
  void check_numbers();
  void check_tensors();
  void check_instructions();
  void check_scalar(TensorId id, TensorRole role, DataType type, std::string const& what);
  void check_measure(Measure const& measure, std::string const& what);
  void check_weights();
  void check_statistic(WeightsInfo const& weights, std::string const& what);
  void check_layers();
  void check_data();
  void check_observations();
  void check_outputs();

  Plan const& plan_;
  std::optional<std::string> fault_;
};

bool positive(std::vector<std::int64_t> const& dims) {
  for (auto size : dims)
    if (size <= 0) return false;
  return dims.size() < largest_rank && checked_product(dims).has_value();
}

void PlanVerifier::check_span(Span span, std::string const& where) {
  if (!span.known())
    return require(span == Span{}, "the span of " + where + " has bounds but no text");
  require(span.file < plan_.sources.size() && span.begin <= span.end &&
              span.end <= written_source(plan_.sources, span.file).text.size(),
          "the span of " + where + " lies outside its text");
}

/// Copies are of earlier texts and asked for by earlier sources, so that no chain is endless.
void PlanVerifier::check_sources() {
  for (std::size_t i = 0; i < plan_.sources.size(); ++i) {
    auto const& source = plan_.sources[i];
    bool const copy = source.copy_of != Span::no_file;
    require(copy ? source.copy_of < i && plan_.sources[source.copy_of].copy_of == Span::no_file &&
                       source.name.empty() && source.text.empty() && source.cause.file < i
                 : source.cause == Span{} && source.words.empty(),
            "source " + std::to_string(i) + " is no sound copy");
    if (!fault_ && copy) check_span(source.cause, "source " + std::to_string(i));
  }
}

void PlanVerifier::check_numbers() {
  check_type(plan_.type, "the model");
  require(plan_.mini_batch_size > 0, "the mini-batch size is not positive");
  require(plan_.accumulate > 0 && plan_.mini_batch_size % plan_.accumulate == 0,
          "the mini-batch has no such number of equal micro-batches");
  require((plan_.accumulate > 1) == (plan_.program.entry_point(accumulate_entry) != nullptr),
          "micro-batches and the entry point for them do not go together");
  require(plan_.hydrogen_block_size >= 0, "a panel has fewer samples than none");
  auto const& training = plan_.training;
  require(training.max_epochs >= 0 && training.max_batches >= 0 &&
              std::isfinite(training.max_seconds) && training.max_seconds >= 0,
          "a limit of the training algorithm is negative");
  if (auto const& staging = plan_.staging)
    require(!staging->local_dir.empty() && staging->limit >= 0 &&
                staging->limit <= most_staged_gigabytes && staging->streams >= 1 &&
                staging->streams <= most_staging_streams,
            "what is said of staging is impossible");
  for (auto const size : {plan_.mesh.data, plan_.mesh.rows, plan_.mesh.columns})
    require(size >= 0 && size <= most_ranks, "what is said of the mesh is impossible");
  std::int64_t next = 0;
  for (auto const& change : training.mini_batches) {
    require((next == 0 ? change.epoch == 0 : change.epoch >= next) && change.mini_batch > 0 &&
                change.mini_batch <= plan_.mini_batch_size &&
                change.mini_batch % std::max<std::int64_t>(plan_.accumulate, 1) == 0,
            "a change of the mini-batch size is impossible");
    next =
        change.epoch < std::numeric_limits<std::int64_t>::max() ? change.epoch + 1 : change.epoch;
  }
}

void PlanVerifier::check_tensors() {
  std::int64_t total = 0;
  for (auto const& tensor : plan_.program.tensors) {
    auto const& extents = tensor.type.shape.extents;
    bool sound = extents.size() <= largest_rank;
    auto bytes = static_cast<std::int64_t>(bytes_of(tensor.type.type));
    for (auto extent : extents) {
      sound = sound && extent.size >= 0 && !__builtin_mul_overflow(bytes, extent.size, &bytes);
      if (extent.batch)
        sound = sound && !__builtin_mul_overflow(bytes, plan_.micro_batch_size(), &bytes);
    }
    sound = sound && !__builtin_add_overflow(total, bytes, &total);
    // Room for alignment and scratch beside the tensors themselves.
    sound = sound && total < std::int64_t{1} << 60;
    require(sound, "the size of tensor `" + tensor.name + "` is impossible");
    auto const* owner = this->tensor(tensor.owner);
    bool const owned = tensor.role == TensorRole::moment || tensor.role == TensorRole::gradient;
    require(!tensor.owner.valid() || owner != nullptr,
            "tensor `" + tensor.name + "` belongs to no tensor");
    require(owned == (owner != nullptr) &&
                (!owned || (owner != nullptr && owner->role == TensorRole::weights &&
                            owner->type.shape == tensor.type.shape)),
            "tensor `" + tensor.name + "` does not match the weights it belongs to");
    require(!is_state(tensor.role) || !tensor.type.shape.has_batch(),
            "state `" + tensor.name + "` depends on the mini-batch");
    check_span(tensor.origin.span, "tensor `" + tensor.name + "`");
    if (fault_) return;
  }
}

void PlanVerifier::check_instructions() {
  std::set<std::string_view> names;
  for (auto const& entry : plan_.program.entry_points) {
    require(names.insert(entry.name).second, "entry point `" + entry.name + "` stands twice");
    for (auto const& instruction : entry.instructions) {
      if (fault_) return;
      check_span(instruction.origin.span, "an instruction of `" + instruction.origin.name + "`");
    }
  }
}

void PlanVerifier::check_scalar(TensorId id, TensorRole role, DataType type,
                                std::string const& what) {
  auto const* found = tensor(id);
  require(found != nullptr && found->role == role && found->type == TensorType{type, Shape{}},
          what + " is not a scalar " + std::string(name_of(type)) + " " +
              std::string(tensor_role_names[static_cast<std::size_t>(role)]));
}

void PlanVerifier::check_measure(Measure const& measure, std::string const& what) {
  if (measure.step_value.valid())
    check_scalar(measure.step_value, TensorRole::result, DataType::f64, what + "'s value");
  for (auto sum : {measure.train_sum, measure.evaluate_sum})
    if (sum.valid()) check_scalar(sum, TensorRole::statistic, DataType::f64, what + "'s sum");
  if (!measure.external) return;
  check_span(measure.external->span, what);
  for (auto tensor : {measure.step_value, measure.train_sum, measure.evaluate_sum})
    require(!tensor.valid(), what + " is asked of another program and computed too");
}

void PlanVerifier::check_weights() {
  std::set<std::string_view> names;
  for (auto const& weights : plan_.weights) {
    auto const what = "weights `" + weights.name + "`";
    require(names.insert(weights.name).second, what + " stand twice");
    auto const* found = tensor(weights.tensor);
    require(found != nullptr && found->role == TensorRole::weights &&
                found->type.shape == Shape(weights.dims),
            what + " do not match their tensor");
    require(weights.optimizer.empty() == !weights.learning_rate.valid(),
            what + " have an optimizer without learning rate, or the reverse");
    if (weights.learning_rate.valid())
      check_scalar(weights.learning_rate, TensorRole::statistic, DataType::f64,
                   "the learning rate of " + what);
    check_span(weights.span, what);
    require(weights.file.find('\0') == std::string::npos, what + " name an impossible file");
    if (!weights.statistic_of.empty()) check_statistic(weights, what);
    if (fault_) return;
  }
}

/// The field is one of training, and has as many channels or entries as the weights.
void PlanVerifier::check_statistic(WeightsInfo const& weights, std::string const& what) {
  auto const count = checked_product(weights.dims);
  bool found = false;
  for (auto const& source : plan_.data)
    for (auto const& field : source.fields)
      found = found || (source.role == ExecutionMode::training &&
                        field.name == weights.statistic_of && !field.dims.empty() &&
                        (count == field.dims[0] || count == checked_product(field.dims)));
  require(found && weights.file.empty(),
          what + " are statistics of `" + weights.statistic_of + "`, which is no such data field");
}

void PlanVerifier::check_layers() {
  std::set<std::string_view> names;
  for (auto const& layer : plan_.layers) {
    auto const what = "layer `" + layer.name + "`";
    require(names.insert(layer.name).second, what + " stands twice");
    for (auto const& dims : layer.dims) require(positive(dims), what + " has impossible dims");
    // Layers store in 16 bits; they compute in f32 then.
    if (!is_sixteen_bit(layer.datatype)) check_type(layer.datatype, what);
    check_span(layer.span, what);
    if (fault_) return;
  }
}

void PlanVerifier::check_data() {
  for (auto const& source : plan_.data) {
    auto const what = "reader `" + source.reader.record.type + "`";
    require(source.samples >= -1, what + " has a negative number of samples");
    check_span(source.reader.span, what);
    std::set<std::string_view> names;
    for (auto const& field : source.fields) {
      auto const field_name = "field `" + field.name + "` of " + what;
      require(names.insert(field.name).second, field_name + " stands twice");
      require(positive(field.dims), field_name + " has impossible dims");
      auto const* found = tensor(field.tensor);
      require(found != nullptr && found->role == TensorRole::input &&
                  found->type.shape == batched(field.dims) && is_floating(found->type.type),
              field_name + " does not match the input it fills");
      if (fault_) return;
    }
    if (!source.mixing) continue;
    require(source.role == ExecutionMode::training && std::isfinite(source.mixing->alpha) &&
                source.mixing->alpha > 0,
            "what is said of mixing samples of " + what + " is impossible");
    for (auto const& mixed : source.mixing->fields)
      require(names.erase(mixed) > 0, "`" + mixed + "` of " + what + " cannot be mixed");
  }
}

/// The layer or weights exist, and the observed variant of the entry point writes the result.
void PlanVerifier::check_observations() {
  for (auto const& observation : plan_.observations) {
    auto const what =
        std::string(observable_names[static_cast<std::size_t>(observation.observable)]) + " of `" +
        observation.name + "`";
    auto const named = [&](auto const& info) { return info.name == observation.name; };
    if (observation.observable == Observable::gradient) {
      require(std::ranges::any_of(plan_.weights, named), what + " is observed of no weights");
    } else {
      auto const layer = std::ranges::find_if(plan_.layers, named);
      require(layer != plan_.layers.end() && observation.index >= 0 &&
                  observation.index < static_cast<std::int64_t>(layer->dims.size()),
              what + " is observed of no layer's output");
    }
    require(observation.entry == "train" || observation.entry == "evaluate",
            what + " is observed in no step");
    auto const* result = tensor(observation.tensor);
    require(
        result != nullptr && result->role == TensorRole::result && is_floating(result->type.type),
        what + " is no result");
    auto const* entry = plan_.program.entry_point(observation.entry + ".observed");
    require(entry != nullptr && std::ranges::any_of(entry->instructions,
                                                    [&](Instruction const& instruction) {
                                                      return std::ranges::count(
                                                                 instruction.outputs,
                                                                 observation.tensor) > 0;
                                                    }),
            what + " is written by no step");
    if (fault_) return;
  }
}

/// The layer has such an output, and `predict` knows a value of its dims for each sample.
void PlanVerifier::check_outputs() {
  auto const* entry = plan_.program.entry_point(predict_entry);
  std::unordered_set<std::uint32_t> written;
  if (entry != nullptr)
    for (auto const& instruction : entry->instructions)
      for (auto const id : instruction.outputs) written.insert(id.value);
  std::unordered_map<std::string_view, LayerInfo const*> layers;
  for (auto const& layer : plan_.layers) layers.emplace(layer.name, &layer);
  std::set<std::pair<std::string_view, std::int64_t>> known;
  for (auto const& output : plan_.outputs) {
    auto const what = "output " + std::to_string(output.index) + " of `" + output.layer + "`";
    auto const layer = layers.find(output.layer);
    require(layer != layers.end() && output.index >= 0 &&
                output.index < static_cast<std::int64_t>(layer->second->dims.size()),
            what + " is predicted by no layer");
    require(known.emplace(output.layer, output.index).second, what + " is predicted twice");
    auto const* value = tensor(output.tensor);
    if (fault_) return;
    require(value != nullptr && is_floating(value->type.type) &&
                value->type.shape ==
                    batched(layer->second->dims[static_cast<std::size_t>(output.index)]) &&
                (value->role == TensorRole::input || written.contains(output.tensor.value)),
            what + " is not predicted for each sample");
    if (fault_) return;
  }
}

std::optional<std::string> PlanVerifier::run() {
  check_sources();
  if (!fault_) check_numbers();
  if (!fault_) check_tensors();
  if (!fault_) check_instructions();
  if (!fault_) fault_ = verify(plan_.program);
  if (!fault_) fault_ = verify_distribution(plan_.program);
  if (fault_) return fault_;
  check_scalar(plan_.mini_batch, TensorRole::input, DataType::f64, "the mini-batch size");
  check_scalar(plan_.first_sample, TensorRole::input, DataType::i64, "the first sample");
  for (auto const id : {plan_.step_samples, plan_.samples_before})
    if (plan_.accumulate > 1 || id.valid())
      check_scalar(id, TensorRole::input, DataType::f64, "the samples of a step");
  check_scalar(plan_.seed, TensorRole::statistic, DataType::i64, "the seed");
  check_scalar(plan_.step, TensorRole::statistic, DataType::i64, "the step");
  for (auto const id : {plan_.steps_per_epoch, plan_.epoch_samples})
    if (id.valid()) check_scalar(id, TensorRole::statistic, DataType::f64, "a size of epochs");
  for (auto const id : {plan_.loss_scale, plan_.skipped_steps})
    if (id.valid()) check_scalar(id, TensorRole::statistic, DataType::f64, "the loss scale");
  check_measure(plan_.objective, "the objective");
  for (auto const& metric : plan_.metrics) check_measure(metric, "metric `" + metric.name + "`");
  check_weights();
  check_layers();
  check_data();
  check_observations();
  check_outputs();
  for (auto const& callback : plan_.callbacks) {
    check_span(callback.span, "callback `" + callback.record.type + "`");
  }
  if (!fault_) fault_ = verify_declared(plan_);
  return fault_;
}

}  // namespace

std::optional<std::string> verify(Plan const& plan) { return PlanVerifier(plan).run(); }

}  // namespace lbann
