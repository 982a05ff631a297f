// Turns bytes into a plan, trusting nothing in them.
#include <algorithm>
#include <cstring>
#include <limits>

#include "schemas/functions/function.hpp"
#include "schemas/plan/header.hpp"
#include "schemas/plan/plan.hpp"
#include "schemas/plan/plan_generated.hpp"

namespace lbann {

namespace {

/// A body that FlatBuffers' verifier accepted, as a plan. Vectors and texts may be shared inside a
/// body, so that a small file could claim a huge plan: what is copied out is counted.
class Reader {
 public:
  explicit Reader(std::size_t body_bytes) : budget_(1 << 16 | body_bytes * 64) {}

  Plan read(encoded::Plan const& body);
  /// What went wrong first; empty if nothing.
  std::string const& fault() const { return fault_; }

 private:
  void fail(std::string message) {
    if (fault_.empty()) fault_ = std::move(message);
  }
  /// Whether `count` more things of `bytes` may be copied out.
  bool affords(std::size_t count, std::size_t bytes) {
    if (count > budget_ / bytes) {
      fail("it claims more content than it can hold");
      return false;
    }
    budget_ -= count * bytes;
    return true;
  }

  std::string text(flatbuffers::String const& value) {
    return affords(value.size(), 1) ? value.str() : std::string();
  }
  template <class Enum, std::size_t count>
  Enum number(std::uint8_t value, std::array<std::string_view, count> const& names) {
    if (value >= names.size()) fail("it holds an unknown enumerator");
    return static_cast<Enum>(value < names.size() ? value : 0);
  }
  /// Whether elements stored at `data` may be read in place: the verifier looks at the alignment of
  /// a list's length only.
  template <class Stored>
  bool aligned(void const* data) {
    constexpr auto alignment = alignof(std::remove_pointer_t<Stored>);
    if (reinterpret_cast<std::uintptr_t>(data) % alignment == 0) return true;
    fail("it holds a misaligned list");
    return false;
  }
  /// The elements of `values`, each turned by `read`.
  template <class Stored, class Read>
  auto each(flatbuffers::Vector<Stored> const& values, Read read) {
    using T = std::remove_cvref_t<decltype(read(*values.begin()))>;
    std::vector<T> list;
    if (values.size() == 0 || !aligned<Stored>(values.Data())) return list;
    if (!affords(values.size(), sizeof(T))) return list;
    list.reserve(values.size());
    for (auto const& value : values) {
      if (!fault_.empty()) break;
      list.push_back(read(value));
    }
    return list;
  }
  std::vector<std::string> texts(
      flatbuffers::Vector<flatbuffers::Offset<flatbuffers::String>> const& values) {
    return each(values, [&](auto const* value) { return text(*value); });
  }
  template <class T>
  std::vector<T> numbers(flatbuffers::Vector<T> const& values) {
    return each(values, [](T value) { return value; });
  }
  std::vector<TensorId> ids(flatbuffers::Vector<std::uint32_t> const& values) {
    return each(values, [](std::uint32_t value) { return TensorId(value); });
  }
  static Span span(encoded::Span const* value) {
    return value == nullptr ? Span{} : Span{value->file(), value->begin(), value->end()};
  }

  Shape shape(flatbuffers::Vector<encoded::Extent const*> const& extents);
  Expression expression(encoded::Expression const& value);
  Value value(encoded::Value kind, void const* content);
  Record record(encoded::Record const& value);
  Operator op(encoded::Record const& value);
  Declared declared(encoded::Declared const& value);
  Origin origin(encoded::Origin const& value);
  Tensor tensor(encoded::Tensor const& value);
  Instruction instruction(encoded::Instruction const& value);
  DataSource data_source(encoded::DataSource const& value);
  Measure measure(encoded::Measure const& value);
  WeightsInfo weights_info(encoded::WeightsInfo const& value);
  LayerInfo layer_info(encoded::LayerInfo const& value);
  Observation observation(encoded::Observation const& value);
  ModelOutput model_output(encoded::ModelOutput const& value);

  std::size_t budget_;
  std::string fault_;
  flatbuffers::Vector<flatbuffers::Offset<encoded::RecordType>> const* record_types_ = nullptr;
};

Shape Reader::shape(flatbuffers::Vector<encoded::Extent const*> const& extents) {
  Shape shape;
  shape.extents = each(extents, [](encoded::Extent const* extent) {
    return Extent{extent->size(), extent->batch()};
  });
  return shape;
}

Expression Reader::expression(encoded::Expression const& value) {
  Expression result;
  result.nodes = each(*value.nodes(), [&](encoded::Node const* node) {
    if (node->kind() > static_cast<std::uint8_t>(Node::Kind::function))
      fail("it holds an unknown kind of expression node");
    return Node{static_cast<Node::Kind>(node->kind()),
                static_cast<Function>(node->function()),
                {node->argument0(), node->argument1(), node->argument2()},
                node->constant()};
  });
  result.outputs = numbers(*value.outputs());
  if (!fault_.empty() || (result.nodes.empty() && result.outputs.empty())) return result;
  if (auto const fault = verify(result, max_operands)) fail("an expression: " + *fault);
  return result;
}

Value Reader::value(encoded::Value kind, void const* content) {
  auto const as = [&]<class T>() -> T const& { return *static_cast<T const*>(content); };
  switch (kind) {
    case encoded::Value::Boolean:
      return as.operator()<encoded::Boolean>().value();
    case encoded::Value::Integer:
      return as.operator()<encoded::Integer>().value();
    case encoded::Value::Real:
      return as.operator()<encoded::Real>().value();
    case encoded::Value::Text:
      return text(*as.operator()<encoded::Text>().value());
    case encoded::Value::Integers:
      return numbers(*as.operator()<encoded::Integers>().value());
    case encoded::Value::Reals:
      return numbers(*as.operator()<encoded::Reals>().value());
    case encoded::Value::Texts:
      return texts(*as.operator()<encoded::Texts>().value());
    case encoded::Value::Shape:
      return shape(*as.operator()<encoded::Shape>().value());
    case encoded::Value::Expression:
      return expression(as.operator()<encoded::Expression>());
    case encoded::Value::NONE:
      break;
  }
  fail("it holds a value of an unknown kind");
  return false;
}

Record Reader::record(encoded::Record const& value) {
  Record record;
  if (value.type() >= record_types_->size()) {
    fail("it holds a declaration of no type");
    return record;
  }
  auto const& type = *record_types_->Get(value.type());
  auto const* kinds = value.values_type();
  if (kinds == nullptr || kinds->size() != value.values()->size() ||
      kinds->size() != type.fields()->size()) {
    fail("fields and values of a declaration differ in number");
    return record;
  }
  record.type = text(*type.name());
  if (!affords(kinds->size(), sizeof(record.fields[0]))) return record;
  for (flatbuffers::uoffset_t i = 0; i < kinds->size() && fault_.empty(); ++i)
    record.fields.emplace_back(text(*type.fields()->Get(i)),
                               this->value(kinds->Get(i), value.values()->GetAs<void>(i)));
  return record;
}

Operator Reader::op(encoded::Record const& value) {
  auto const content = record(value);
  if (!fault_.empty()) return {};
  if (auto op = operator_from(content)) return std::move(*op);
  fail("operator `" + content.type + "` is unknown or has other fields");
  return {};
}

Declared Reader::declared(encoded::Declared const& value) {
  return {record(*value.record()), span(value.span())};
}

Origin Reader::origin(encoded::Origin const& value) {
  return {text(*value.name()), text(*value.pass()), span(value.span())};
}

Tensor Reader::tensor(encoded::Tensor const& value) {
  Tensor tensor;
  tensor.name = text(*value.name());
  tensor.type = {number<DataType>(value.type(), data_type_names), shape(*value.shape())};
  tensor.role = number<TensorRole>(value.role(), tensor_role_names);
  tensor.owner.value = value.owner();
  tensor.slot = value.slot();
  tensor.distribution.split =
      each(*value.split(), [&](encoded::Axes const* axes) { return texts(*axes->names()); });
  tensor.distribution.partial = texts(*value.partial());
  tensor.origin = origin(*value.origin());
  return tensor;
}

Instruction Reader::instruction(encoded::Instruction const& value) {
  return {op(*value.op()), ids(*value.inputs()), ids(*value.outputs()), origin(*value.origin())};
}

DataSource Reader::data_source(encoded::DataSource const& value) {
  DataSource source;
  source.role = number<ExecutionMode>(value.role(), reader_role_names);
  source.reader = declared(*value.reader());
  source.transforms = each(*value.transforms(), [&](encoded::AppliedTransform const* applied) {
    std::optional<ExecutionMode> phase;
    if (applied->phase() != all_phases)
      phase = number<ExecutionMode>(applied->phase(), reader_role_names);
    return AppliedTransform{text(*applied->field()), phase, declared(*applied->transform())};
  });
  source.datasets =
      each(*value.datasets(), [&](encoded::Declared const* dataset) { return declared(*dataset); });
  source.fields = each(*value.fields(), [&](encoded::DataField const* field) {
    return DataField{text(*field->name()), numbers(*field->dims()), TensorId(field->tensor())};
  });
  source.samples = value.samples();
  if (value.mixing() != nullptr)
    source.mixing = {texts(*value.mixing()->fields()), value.mixing()->alpha()};
  return source;
}

Measure Reader::measure(encoded::Measure const& value) {
  return {text(*value.name()),
          text(*value.unit()),
          TensorId(value.step_value()),
          TensorId(value.train_sum()),
          TensorId(value.evaluate_sum()),
          value.external() == nullptr ? std::nullopt : std::optional(declared(*value.external()))};
}

WeightsInfo Reader::weights_info(encoded::WeightsInfo const& value) {
  return {text(*value.name()),
          numbers(*value.dims()),
          TensorId(value.tensor()),
          text(*value.optimizer()),
          TensorId(value.learning_rate()),
          span(value.span()),
          text(*value.file()),
          value.inputs_first(),
          text(*value.statistic_of()),
          number<DataStatistic>(value.statistic(), enum_names<DataStatistic>)};
}

LayerInfo Reader::layer_info(encoded::LayerInfo const& value) {
  LayerInfo layer;
  layer.name = text(*value.name());
  layer.type = text(*value.type());
  layer.parents = texts(*value.parents());
  layer.children = texts(*value.children());
  layer.weights = texts(*value.weights());
  layer.dims = each(*value.dims(), [&](auto const* dims) { return numbers(*dims->value()); });
  layer.datatype = number<DataType>(value.datatype(), data_type_names);
  layer.inserted_by = text(*value.inserted_by());
  layer.span = span(value.span());
  return layer;
}

Observation Reader::observation(encoded::Observation const& value) {
  return {number<Observable>(value.observable(), observable_names), text(*value.name()),
          value.index(), text(*value.entry()), TensorId(value.tensor())};
}

ModelOutput Reader::model_output(encoded::ModelOutput const& value) {
  return {text(*value.layer()), value.index(), value.by_default(), TensorId(value.tensor())};
}

Plan Reader::read(encoded::Plan const& body) {
  record_types_ = body.record_types();
  Plan plan;
  plan.experiment = text(*body.experiment());
  plan.sources = each(*body.sources(), [&](encoded::Source const* source) {
    return Source{text(*source->name()), text(*source->text()), source->copy_of(),
                  span(source->cause()), text(*source->words())};
  });
  plan.overrides = texts(*body.overrides());
  plan.type = number<DataType>(body.type(), data_type_names);
  plan.mini_batch_size = body.mini_batch_size();
  plan.accumulate = body.accumulate();
  plan.hydrogen_block_size = body.hydrogen_block_size();
  plan.random_seed = body.random_seed();
  auto const& training = *body.training();
  plan.training = {text(*training.type()), training.max_epochs(), training.max_batches(),
                   training.max_seconds(),
                   each(*training.mini_batches(), [](encoded::MiniBatchChange const* change) {
                     return MiniBatchChange{change->epoch(), change->mini_batch()};
                   })};
  plan.program.tensors =
      each(*body.tensors(), [&](encoded::Tensor const* value) { return tensor(*value); });
  plan.program.entry_points = each(*body.entry_points(), [&](encoded::EntryPoint const* entry) {
    EntryPoint read{text(*entry->name()),
                    each(*entry->instructions(),
                         [&](encoded::Instruction const* value) { return instruction(*value); })};
    if (auto const* timing = entry->timing())
      read.timing = {number<Moment>(timing->moment(), moment_names), timing->first(),
                     timing->interval(), timing->last()};
    return read;
  });
  plan.mini_batch.value = body.mini_batch();
  plan.first_sample.value = body.first_sample();
  plan.step_samples.value = body.step_samples();
  plan.samples_before.value = body.samples_before();
  plan.seed.value = body.seed();
  plan.step.value = body.step();
  plan.steps_per_epoch.value = body.steps_per_epoch();
  plan.epoch_samples.value = body.epoch_samples();
  plan.loss_scale.value = body.loss_scale();
  plan.skipped_steps.value = body.skipped_steps();
  plan.objective = measure(*body.objective());
  plan.metrics = each(*body.metrics(), [&](auto const* value) { return measure(*value); });
  plan.weights = each(*body.weights(), [&](auto const* value) { return weights_info(*value); });
  plan.layers = each(*body.layers(), [&](auto const* value) { return layer_info(*value); });
  plan.data = each(*body.data(), [&](auto const* value) { return data_source(*value); });
  plan.callbacks = each(*body.callbacks(), [&](auto const* value) { return declared(*value); });
  plan.observations =
      each(*body.observations(), [&](auto const* value) { return observation(*value); });
  plan.outputs = each(*body.outputs(), [&](auto const* value) { return model_output(*value); });
  plan.unimplemented = texts(*body.unimplemented());
  if (auto const* staging = body.staging())
    plan.staging = {staging->local_dir()->str(), staging->limit(), staging->streams()};
  if (auto const* mesh = body.mesh()) plan.mesh = {mesh->data(), mesh->rows(), mesh->columns()};
  return plan;
}

Problem unfit(std::string const& fault) {
  return {"the plan does not fit this program: " + fault +
          "; compile the experiment again with the lbann-compile beside it"};
}

}  // namespace

Result<Plan> decode(std::span<std::uint8_t const> bytes) {
  auto const checked = body_of(bytes);
  if (!checked) return checked.problem();
  auto const body = checked.value();
  constexpr std::size_t largest = std::numeric_limits<std::int32_t>::max();
  if (body.size() < 16 || body.size() >= largest) return unfit("its size is impossible");
  // FlatBuffers reads numbers where they lie, which must be a multiple of their size.
  std::vector<std::uint64_t> aligned((body.size() + 7) / 8);
  std::memcpy(aligned.data(), body.data(), body.size());
  auto const* data = reinterpret_cast<std::uint8_t const*>(aligned.data());

  constexpr flatbuffers::uoffset_t deepest = 16;
  flatbuffers::Verifier verifier(data, body.size(), deepest,
                                 static_cast<flatbuffers::uoffset_t>(body.size() / 4));
  if (!encoded::VerifyPlanBuffer(verifier)) return unfit("its structure is broken");

  auto const& root = *encoded::GetPlan(data);
  Reader reader(body.size());
  auto plan = reader.read(root);
  if (!reader.fault().empty()) return unfit(reader.fault());
  if (auto const fault = verify(plan)) return unfit(*fault);
  // Equal plans have equal bytes: nothing is hidden beside what was read.
  if (!std::ranges::equal(encode(plan), bytes)) return unfit("its bytes are not canonical");
  return plan;
}

}  // namespace lbann
