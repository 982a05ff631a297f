// Turns a plan into its canonical bytes.
#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <string>
#include <type_traits>
#include <unordered_map>

#include "schemas/plan/header.hpp"
#include "schemas/plan/meaning.hpp"
#include "schemas/plan/paths.hpp"
#include "schemas/plan/plan.hpp"
#include "schemas/plan/plan_generated.hpp"

namespace lbann {

namespace {

using flatbuffers::Offset;
using Text = Offset<flatbuffers::String>;

/// Writes a plan once: its bytes, and on the way the digest of what it means.
class Writer {
 public:
  /// The finished body; valid while the writer lives.
  std::span<std::uint8_t const> write(Plan const& plan);
  std::uint64_t meaning() const { return meaning_.value(); }

 private:
  Text text(std::string const& value);
  /// A text that means nothing.
  Text words(std::string const& value);
  static encoded::Span span(Span value) { return {value.file, value.begin, value.end}; }
  /// Takes these numbers into the meaning, in this order.
  template <class... Numbers>
  void means(Numbers... numbers);
  Offset<encoded::Origin> origin(Origin const& value);
  template <class T>
  void field_value(bool path, T const& value);
  template <class Names>
  std::uint32_t add_record_type(std::string const& type, Names const& field_names);
  Offset<encoded::Record> finish_record(std::uint32_t type);
  Offset<encoded::Record> record(Record const& value);
  Offset<encoded::Record> record(Operator const& value);
  Offset<encoded::Declared> declared(Declared const& value);
  Offset<encoded::Tensor> tensor(Tensor const& value);
  Offset<encoded::Instruction> instruction(Instruction const& value);
  Offset<encoded::DataSource> data_source(DataSource const& value);
  Offset<encoded::Measure> measure(Measure const& value);
  Offset<encoded::WeightsInfo> weights_info(WeightsInfo const& value);
  Offset<encoded::LayerInfo> layer_info(LayerInfo const& value);
  Offset<encoded::Observation> observation(Observation const& value);
  Offset<encoded::ModelOutput> model_output(ModelOutput const& value);

  Offset<flatbuffers::Vector<encoded::Extent const*>> extents(Shape const& shape);
  Offset<flatbuffers::Vector<std::uint32_t>> ids(std::vector<TensorId> const& tensors);
  Offset<flatbuffers::Vector<Text>> texts(std::vector<std::string> const& values);

  template <class T, class Write>
  auto each(std::vector<T> const& values, Write write) {
    std::vector<std::invoke_result_t<Write, T const&>> offsets;
    offsets.reserve(values.size());
    meaning_.add(values.size());
    for (auto const& value : values) offsets.push_back(write(value));
    return builder_.CreateVector(offsets);
  }

  template <class T>
  auto numbers(std::vector<T> const& values) {
    meaning_.add(values.size());
    for (auto value : values) means(value);
    return builder_.CreateVector(values);
  }

  flatbuffers::FlatBufferBuilder builder_{1 << 16};
  Meaning meaning_;
  std::unordered_map<std::string, Text> texts_;
  std::unordered_map<std::string, std::uint32_t> record_type_numbers_;
  std::array<std::optional<std::uint32_t>, std::variant_size_v<Operator>> operator_types_;
  std::vector<Offset<encoded::RecordType>> record_types_;
  // Of the list in writing.
  std::vector<encoded::Value> field_kinds_;
  std::vector<Offset<void>> field_values_;
  std::vector<encoded::Extent> extents_;
  std::vector<std::uint32_t> ids_;
};

Text Writer::words(std::string const& value) {
  auto const [place, added] = texts_.try_emplace(value);
  if (added) place->second = builder_.CreateString(value);
  return place->second;
}

Text Writer::text(std::string const& value) {
  meaning_.add(value);
  return words(value);
}

template <class... Numbers>
void Writer::means(Numbers... numbers) {
  auto const add = [&]<class Number>(Number number) {
    if constexpr (std::is_same_v<Number, double>)
      meaning_.add(std::bit_cast<std::uint64_t>(number));
    else
      meaning_.add(static_cast<std::uint64_t>(number));
  };
  (add(numbers), ...);
}

Offset<flatbuffers::Vector<encoded::Extent const*>> Writer::extents(Shape const& shape) {
  extents_.clear();
  meaning_.add(shape.rank());
  for (auto extent : shape.extents) {
    means(extent.size, extent.batch);
    extents_.emplace_back(extent.size, extent.batch);
  }
  return builder_.CreateVectorOfStructs(extents_);
}

Offset<flatbuffers::Vector<std::uint32_t>> Writer::ids(std::vector<TensorId> const& tensors) {
  ids_.clear();
  for (auto tensor : tensors) ids_.push_back(tensor.value);
  return numbers(ids_);
}

Offset<flatbuffers::Vector<Text>> Writer::texts(std::vector<std::string> const& values) {
  return each(values, [&](std::string const& value) { return text(value); });
}

Offset<encoded::Origin> Writer::origin(Origin const& value) {
  auto const name = text(value.name), pass = text(value.pass);
  auto const place = span(value.span);
  return encoded::CreateOrigin(builder_, name, pass, &place);
}

/// Adds a field to the record in writing. Of paths only the number means something.
template <class T>
void Writer::field_value(bool path, T const& value) {
  using Kind = encoded::Value;
  auto& b = builder_;
  auto const add = [&](Kind kind, auto offset) {
    field_kinds_.push_back(kind);
    field_values_.push_back(offset.Union());
  };
  if constexpr (std::is_same_v<T, Value>) {
    std::visit([&](auto const& held) { field_value(path, held); }, value);
  } else if constexpr (std::is_same_v<T, bool>) {
    means(value);
    add(Kind::Boolean, encoded::CreateBoolean(b, value));
  } else if constexpr (std::is_same_v<T, std::int64_t>) {
    means(value);
    add(Kind::Integer, encoded::CreateInteger(b, value));
  } else if constexpr (std::is_same_v<T, double>) {
    means(value);
    add(Kind::Real, encoded::CreateReal(b, value));
  } else if constexpr (std::is_same_v<T, std::string>) {
    add(Kind::Text, encoded::CreateText(b, path ? words(value) : text(value)));
  } else if constexpr (std::is_same_v<T, std::vector<std::int64_t>>) {
    add(Kind::Integers, encoded::CreateIntegers(b, numbers(value)));
  } else if constexpr (std::is_same_v<T, std::vector<double>>) {
    add(Kind::Reals, encoded::CreateReals(b, numbers(value)));
  } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
    auto const list =
        path ? each(value, [&](std::string const& one) { return words(one); }) : texts(value);
    add(Kind::Texts, encoded::CreateTexts(b, list));
  } else if constexpr (std::is_same_v<T, Shape>) {
    add(Kind::Shape, encoded::CreateShape(b, extents(value)));
  } else if constexpr (std::is_same_v<T, Expression>) {
    std::vector<encoded::Node> nodes;
    nodes.reserve(value.nodes.size());
    meaning_.add(value.nodes.size());
    for (auto const& node : value.nodes) {
      auto const& x = node.arguments;
      auto const kind = static_cast<std::uint8_t>(node.kind);
      auto const function = static_cast<std::uint16_t>(node.function);
      means(kind, function, x[0], x[1], x[2], node.constant);
      nodes.emplace_back(kind, function, x[0], x[1], x[2], node.constant);
    }
    auto const list = b.CreateVectorOfStructs(nodes);
    add(Kind::Expression, encoded::CreateExpression(b, list, numbers(value.outputs)));
  } else {
    field_value(path, detail::to_value(value));
  }
}

/// The number of a type of records, told where it appears first.
template <class Names>
std::uint32_t Writer::add_record_type(std::string const& type, Names const& field_names) {
  auto key = type;
  for (auto const& name : field_names) (key += '\n') += name;
  auto const [place, added] = record_type_numbers_.try_emplace(
      std::move(key), static_cast<std::uint32_t>(record_types_.size()));
  if (added) {
    auto const name = text(type);
    auto const fields =
        each(field_names, [&](auto const& field) { return text(std::string(field)); });
    record_types_.push_back(encoded::CreateRecordType(builder_, name, fields));
  }
  return place->second;
}

Offset<encoded::Record> Writer::finish_record(std::uint32_t type) {
  auto const kinds = builder_.CreateVector(field_kinds_);
  auto const values = builder_.CreateVector(field_values_);
  means(type);
  return encoded::CreateRecord(builder_, type, kinds, values);
}

Offset<encoded::Record> Writer::record(Record const& value) {
  std::vector<std::string_view> names;
  names.reserve(value.fields.size());
  for (auto const& field : value.fields) names.push_back(field.first);
  auto const type = add_record_type(value.type, names);
  field_kinds_.clear();
  field_values_.clear();
  for (auto const& [name, content] : value.fields) field_value(is_path(value.type, name), content);
  return finish_record(type);
}

/// The same bytes as those of its `Record`, which is not made.
Offset<encoded::Record> Writer::record(Operator const& value) {
  return std::visit(
      [&]<class T>(T const& op) {
        return std::apply(
            [&](auto const&... fields) {
              auto& type = operator_types_[value.index()];
              if (!type) {
                std::vector<std::string_view> const names = {fields.name...};
                type = add_record_type(std::string(T::name), names);
              }
              field_kinds_.clear();
              field_values_.clear();
              (field_value(fields.path, op.*(fields.member)), ...);
              return finish_record(*type);
            },
            T::fields());
      },
      value);
}

Offset<encoded::Declared> Writer::declared(Declared const& value) {
  auto const place = span(value.span);
  return encoded::CreateDeclared(builder_, record(value.record), &place);
}

Offset<encoded::Tensor> Writer::tensor(Tensor const& value) {
  auto const name = text(value.name);
  auto const shape = extents(value.type.shape);
  auto const split = each(value.distribution.split, [&](std::vector<std::string> const& axes) {
    return encoded::CreateAxes(builder_, texts(axes));
  });
  auto const partial = texts(value.distribution.partial);
  auto const cause = origin(value.origin);
  auto const type = static_cast<std::uint8_t>(value.type.type);
  auto const role = static_cast<std::uint8_t>(value.role);
  means(type, role, value.owner.value, value.slot);
  return encoded::CreateTensor(builder_, name, type, shape, role, value.owner.value, value.slot,
                               split, partial, cause);
}

Offset<encoded::Instruction> Writer::instruction(Instruction const& value) {
  auto const op = record(value.op);
  auto const inputs = ids(value.inputs), outputs = ids(value.outputs);
  return encoded::CreateInstruction(builder_, op, inputs, outputs, origin(value.origin));
}

Offset<encoded::DataSource> Writer::data_source(DataSource const& value) {
  auto const reader = declared(value.reader);
  auto const transforms = each(value.transforms, [&](AppliedTransform const& applied) {
    auto const field = text(applied.field);
    auto const phase =
        applied.phase ? static_cast<std::uint8_t>(*applied.phase) : std::uint8_t{all_phases};
    means(phase);
    return encoded::CreateAppliedTransform(builder_, field, phase, declared(applied.transform));
  });
  auto const datasets =
      each(value.datasets, [&](Declared const& dataset) { return declared(dataset); });
  auto const fields = each(value.fields, [&](DataField const& field) {
    auto const name = text(field.name);
    means(field.tensor.value);
    return encoded::CreateDataField(builder_, name, numbers(field.dims), field.tensor.value);
  });
  auto const role = static_cast<std::uint8_t>(value.role);
  means(role, value.samples, value.mixing.has_value());
  Offset<encoded::Mixing> mixing;
  if (value.mixing) {
    auto const mixed = texts(value.mixing->fields);
    means(value.mixing->alpha);
    mixing = encoded::CreateMixing(builder_, mixed, value.mixing->alpha);
  }
  return encoded::CreateDataSource(builder_, role, reader, transforms, datasets, fields,
                                   value.samples, mixing);
}

Offset<encoded::Measure> Writer::measure(Measure const& value) {
  auto const name = text(value.name), unit = text(value.unit);
  means(value.step_value.value, value.train_sum.value, value.evaluate_sum.value,
        value.external.has_value());
  auto const external = value.external ? declared(*value.external) : Offset<encoded::Declared>();
  return encoded::CreateMeasure(builder_, name, unit, value.step_value.value, value.train_sum.value,
                                value.evaluate_sum.value, external);
}

Offset<encoded::WeightsInfo> Writer::weights_info(WeightsInfo const& value) {
  auto const name = text(value.name), optimizer = text(value.optimizer);
  auto const dims = numbers(value.dims);
  auto const file = words(value.file);
  auto const place = span(value.span);
  means(value.tensor.value, value.learning_rate.value, !value.file.empty());
  auto const statistic_of = text(value.statistic_of);
  auto const statistic = static_cast<std::uint8_t>(value.statistic);
  means(statistic);
  return encoded::CreateWeightsInfo(builder_, name, dims, value.tensor.value, optimizer,
                                    value.learning_rate.value, &place, file, value.inputs_first,
                                    statistic_of, statistic);
}

Offset<encoded::LayerInfo> Writer::layer_info(LayerInfo const& value) {
  auto const name = text(value.name), type = text(value.type);
  auto const parents = texts(value.parents), children = texts(value.children);
  auto const weights = texts(value.weights);
  auto const dims = each(value.dims, [&](std::vector<std::int64_t> const& sizes) {
    return encoded::CreateIntegers(builder_, numbers(sizes));
  });
  auto const datatype = static_cast<std::uint8_t>(value.datatype);
  auto const inserted_by = text(value.inserted_by);
  auto const place = span(value.span);
  means(datatype);
  return encoded::CreateLayerInfo(builder_, name, type, parents, children, weights, dims, datatype,
                                  inserted_by, &place);
}

Offset<encoded::Observation> Writer::observation(Observation const& value) {
  auto const name = text(value.name), entry = text(value.entry);
  auto const observable = static_cast<std::uint8_t>(value.observable);
  means(observable, value.index, value.tensor.value);
  return encoded::CreateObservation(builder_, observable, name, value.index, entry,
                                    value.tensor.value);
}

Offset<encoded::ModelOutput> Writer::model_output(ModelOutput const& value) {
  auto const layer = text(value.layer);
  means(value.index, value.by_default, value.tensor.value);
  return encoded::CreateModelOutput(builder_, layer, value.index, value.by_default,
                                    value.tensor.value);
}

std::span<std::uint8_t const> Writer::write(Plan const& plan) {
  auto& b = builder_;
  std::vector<Offset<encoded::Source>> source_list;
  for (auto const& source : plan.sources) {
    auto const name = words(source.name), which = words(source.words);
    auto const content = b.CreateString(source.text);
    auto const cause = span(source.cause);
    source_list.push_back(encoded::CreateSource(b, name, content, source.copy_of, &cause, which));
  }
  std::vector<Text> override_list;
  for (auto const& override : plan.overrides) override_list.push_back(words(override));
  auto const sources = b.CreateVector(source_list);
  auto const overrides = b.CreateVector(override_list);

  auto const experiment = text(plan.experiment);
  auto const type = text(plan.training.type);
  means(plan.training.max_epochs, plan.training.max_batches, plan.training.max_seconds);
  std::vector<encoded::MiniBatchChange> change_list;
  for (auto const& [epoch, mini_batch] : plan.training.mini_batches) {
    means(epoch, mini_batch);
    change_list.emplace_back(epoch, mini_batch);
  }
  auto const changes = b.CreateVectorOfStructs(change_list);
  auto const training =
      encoded::CreateTrainingAlgorithm(b, type, plan.training.max_epochs, plan.training.max_batches,
                                       plan.training.max_seconds, changes);
  auto const tensors =
      each(plan.program.tensors, [&](Tensor const& value) { return tensor(value); });
  auto const entry_points = each(plan.program.entry_points, [&](EntryPoint const& entry) {
    auto const instructions =
        each(entry.instructions, [&](Instruction const& value) { return instruction(value); });
    auto const name = text(entry.name);
    if (!entry.timing) return encoded::CreateEntryPoint(b, name, instructions);
    auto const& [moment, first, interval, last] = *entry.timing;
    encoded::Timing const timing(static_cast<std::uint8_t>(moment), first, interval, last);
    return encoded::CreateEntryPoint(b, name, instructions, &timing);
  });
  auto const objective = measure(plan.objective);
  auto const metrics = each(plan.metrics, [&](Measure const& value) { return measure(value); });
  auto const weights =
      each(plan.weights, [&](WeightsInfo const& value) { return weights_info(value); });
  auto const layers = each(plan.layers, [&](LayerInfo const& value) { return layer_info(value); });
  auto const data = each(plan.data, [&](DataSource const& value) { return data_source(value); });
  auto const callbacks =
      each(plan.callbacks, [&](Declared const& value) { return declared(value); });
  auto const observations =
      each(plan.observations, [&](Observation const& value) { return observation(value); });
  auto const outputs =
      each(plan.outputs, [&](ModelOutput const& value) { return model_output(value); });
  auto const unimplemented = texts(plan.unimplemented);
  Offset<encoded::Staging> staging;
  if (plan.staging)
    staging = encoded::CreateStaging(b, b.CreateString(plan.staging->local_dir),
                                     plan.staging->limit, plan.staging->streams);
  Offset<encoded::Mesh> mesh;
  if (plan.mesh != MeshRequest{})
    mesh = encoded::CreateMesh(b, plan.mesh.data, plan.mesh.rows, plan.mesh.columns);
  auto const record_types = b.CreateVector(record_types_);

  auto const data_type = static_cast<std::uint8_t>(plan.type);
  means(data_type, plan.mini_batch_size, plan.random_seed, plan.mini_batch.value,
        plan.first_sample.value, plan.seed.value, plan.step.value);
  // Only where there are some: the digests of plans without them are those of earlier versions.
  for (auto const& entry : plan.program.entry_points)
    if (entry.timing)
      means(&entry - plan.program.entry_points.data(), static_cast<int>(entry.timing->moment),
            entry.timing->first, entry.timing->interval, entry.timing->last);
  for (auto const id : {plan.steps_per_epoch, plan.epoch_samples, plan.step_samples,
                        plan.samples_before, plan.loss_scale, plan.skipped_steps})
    if (id.valid()) means(id.value);
  if (plan.accumulate != 1) means(plan.accumulate);
  b.Finish(encoded::CreatePlan(
               b, meaning_.value(), experiment, sources, overrides, data_type, plan.mini_batch_size,
               plan.accumulate, plan.hydrogen_block_size, plan.random_seed, training, record_types,
               tensors, entry_points, plan.mini_batch.value, plan.first_sample.value,
               plan.step_samples.value, plan.samples_before.value, plan.seed.value, plan.step.value,
               plan.steps_per_epoch.value, plan.epoch_samples.value, plan.loss_scale.value,
               plan.skipped_steps.value, objective, metrics, weights, layers, data, callbacks,
               observations, outputs, unimplemented, staging, mesh),
           encoded::PlanIdentifier());
  return {b.GetBufferPointer(), b.GetSize()};
}

}  // namespace

std::uint64_t meaning_digest(Plan const& plan) {
  Writer writer;
  writer.write(plan);
  return writer.meaning();
}

std::vector<std::uint8_t> encode(Plan const& plan) {
  Writer writer;
  auto const body = writer.write(plan);
  std::vector<std::uint8_t> file(plan_header_bytes + body.size());
  std::copy(body.begin(), body.end(), file.begin() + plan_header_bytes);
  write_header(file);
  return file;
}

}  // namespace lbann
