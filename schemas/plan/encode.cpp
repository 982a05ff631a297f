// Turns a plan into its canonical bytes.
#include <algorithm>
#include <string>
#include <type_traits>
#include <unordered_map>

#include "schemas/plan/digest.hpp"
#include "schemas/plan/header.hpp"
#include "schemas/plan/plan.hpp"
#include "schemas/plan/plan_generated.hpp"

namespace lbann {

namespace {

using flatbuffers::Offset;
using Text = Offset<flatbuffers::String>;

/// What goes into the bytes: everything, or only what the plan means.
enum class Content : std::uint8_t { all, meaning };

/// Fields of declarations that tell where data lies, not what they are.
bool is_path(std::string_view field) {
  return field.find("file") != field.npos || field.find("dir") != field.npos ||
         field.find("path") != field.npos;
}

class Writer {
 public:
  explicit Writer(Content content) : content_(content) {}

  /// The finished body; valid while the writer lives.
  std::span<std::uint8_t const> write(Plan const& plan, std::uint64_t meaning);

 private:
  Text text(std::string const& value);
  encoded::Span span(Span value) const;
  Offset<encoded::Origin> origin(Origin const& value);
  std::pair<encoded::Value, Offset<void>> value(std::string_view field, Value const& value);
  Offset<encoded::Record> record(Record const& value);
  Offset<encoded::Declared> declared(Declared const& value);
  Offset<encoded::Tensor> tensor(Tensor const& value);
  Offset<encoded::Instruction> instruction(Instruction const& value);
  Offset<encoded::DataSource> data_source(DataSource const& value);
  Offset<encoded::Measure> measure(Measure const& value);
  Offset<encoded::WeightsInfo> weights_info(WeightsInfo const& value);
  Offset<encoded::LayerInfo> layer_info(LayerInfo const& value);

  Offset<flatbuffers::Vector<encoded::Extent const*>> extents(Shape const& shape);
  Offset<flatbuffers::Vector<std::uint32_t>> ids(std::vector<TensorId> const& tensors);
  Offset<flatbuffers::Vector<Text>> texts(std::vector<std::string> const& values);

  template <class T, class Write>
  auto each(std::vector<T> const& values, Write write) {
    std::vector<std::invoke_result_t<Write, T const&>> offsets;
    offsets.reserve(values.size());
    for (auto const& value : values) offsets.push_back(write(value));
    return builder_.CreateVector(offsets);
  }

  Content content_;
  flatbuffers::FlatBufferBuilder builder_{1 << 16};
  std::unordered_map<std::string, Text> texts_;
  std::unordered_map<std::string, std::uint32_t> record_type_numbers_;
  std::vector<Offset<encoded::RecordType>> record_types_;
};

Text Writer::text(std::string const& value) {
  auto const [place, added] = texts_.try_emplace(value);
  if (added) place->second = builder_.CreateString(value);
  return place->second;
}

encoded::Span Writer::span(Span value) const {
  if (content_ == Content::meaning) value = {};
  return {value.file, value.begin, value.end};
}

Offset<flatbuffers::Vector<encoded::Extent const*>> Writer::extents(Shape const& shape) {
  std::vector<encoded::Extent> list;
  list.reserve(shape.rank());
  for (auto extent : shape.extents) list.emplace_back(extent.size, extent.batch);
  return builder_.CreateVectorOfStructs(list);
}

Offset<flatbuffers::Vector<std::uint32_t>> Writer::ids(std::vector<TensorId> const& tensors) {
  std::vector<std::uint32_t> numbers;
  numbers.reserve(tensors.size());
  for (auto tensor : tensors) numbers.push_back(tensor.value);
  return builder_.CreateVector(numbers);
}

Offset<flatbuffers::Vector<Text>> Writer::texts(std::vector<std::string> const& values) {
  return each(values, [&](std::string const& value) { return text(value); });
}

Offset<encoded::Origin> Writer::origin(Origin const& value) {
  auto const place = span(value.span);
  return encoded::CreateOrigin(builder_, text(value.name), text(value.pass), &place);
}

std::pair<encoded::Value, Offset<void>> Writer::value(std::string_view field, Value const& value) {
  auto& b = builder_;
  return std::visit(
      [&](auto const& held) -> std::pair<encoded::Value, Offset<void>> {
        using T = std::remove_cvref_t<decltype(held)>;
        using Kind = encoded::Value;
        if constexpr (std::is_same_v<T, bool>) {
          return {Kind::Boolean, encoded::CreateBoolean(b, held).Union()};
        } else if constexpr (std::is_same_v<T, std::int64_t>) {
          return {Kind::Integer, encoded::CreateInteger(b, held).Union()};
        } else if constexpr (std::is_same_v<T, double>) {
          return {Kind::Real, encoded::CreateReal(b, held).Union()};
        } else if constexpr (std::is_same_v<T, std::string>) {
          auto const hidden = content_ == Content::meaning && is_path(field);
          return {Kind::Text, encoded::CreateText(b, text(hidden ? std::string() : held)).Union()};
        } else if constexpr (std::is_same_v<T, std::vector<std::int64_t>>) {
          return {Kind::Integers, encoded::CreateIntegers(b, b.CreateVector(held)).Union()};
        } else if constexpr (std::is_same_v<T, std::vector<double>>) {
          return {Kind::Reals, encoded::CreateReals(b, b.CreateVector(held)).Union()};
        } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
          return {Kind::Texts, encoded::CreateTexts(b, texts(held)).Union()};
        } else if constexpr (std::is_same_v<T, Shape>) {
          return {Kind::Shape, encoded::CreateShape(b, extents(held)).Union()};
        } else {
          static_assert(std::is_same_v<T, Expression>);
          std::vector<encoded::Node> nodes;
          nodes.reserve(held.nodes.size());
          for (auto const& node : held.nodes)
            nodes.emplace_back(static_cast<std::uint8_t>(node.kind),
                               static_cast<std::uint16_t>(node.function), node.arguments[0],
                               node.arguments[1], node.arguments[2], node.constant);
          auto const list = b.CreateVectorOfStructs(nodes);
          return {Kind::Expression,
                  encoded::CreateExpression(b, list, b.CreateVector(held.outputs)).Union()};
        }
      },
      value);
}

Offset<encoded::Record> Writer::record(Record const& value) {
  auto key = value.type;
  for (auto const& field : value.fields) (key += '\n') += field.first;
  auto const [place, added] = record_type_numbers_.try_emplace(
      std::move(key), static_cast<std::uint32_t>(record_types_.size()));
  if (added) {
    auto const name = text(value.type);
    auto const fields = each(value.fields, [&](auto const& field) { return text(field.first); });
    record_types_.push_back(encoded::CreateRecordType(builder_, name, fields));
  }
  std::vector<encoded::Value> kinds;
  std::vector<Offset<void>> values;
  for (auto const& [name, content] : value.fields) {
    auto const [kind, offset] = this->value(name, content);
    kinds.push_back(kind);
    values.push_back(offset);
  }
  auto const kind_list = builder_.CreateVector(kinds);
  return encoded::CreateRecord(builder_, place->second, kind_list, builder_.CreateVector(values));
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
  return encoded::CreateTensor(builder_, name, static_cast<std::uint8_t>(value.type.type), shape,
                               static_cast<std::uint8_t>(value.role), value.owner.value, value.slot,
                               split, partial, origin(value.origin));
}

Offset<encoded::Instruction> Writer::instruction(Instruction const& value) {
  auto const op = record(to_record(value.op));
  auto const inputs = ids(value.inputs), outputs = ids(value.outputs);
  return encoded::CreateInstruction(builder_, op, inputs, outputs, origin(value.origin));
}

Offset<encoded::DataSource> Writer::data_source(DataSource const& value) {
  auto const reader = declared(value.reader);
  auto const fields = each(value.fields, [&](DataField const& field) {
    auto const name = text(field.name);
    return encoded::CreateDataField(builder_, name, builder_.CreateVector(field.dims),
                                    field.tensor.value);
  });
  return encoded::CreateDataSource(builder_, static_cast<std::uint8_t>(value.role), reader, fields,
                                   value.samples);
}

Offset<encoded::Measure> Writer::measure(Measure const& value) {
  auto const name = text(value.name), unit = text(value.unit);
  return encoded::CreateMeasure(builder_, name, unit, value.step_value.value, value.train_sum.value,
                                value.evaluate_sum.value);
}

Offset<encoded::WeightsInfo> Writer::weights_info(WeightsInfo const& value) {
  auto const name = text(value.name), optimizer = text(value.optimizer);
  auto const dims = builder_.CreateVector(value.dims);
  auto const place = span(value.span);
  return encoded::CreateWeightsInfo(builder_, name, dims, value.tensor.value, optimizer,
                                    value.learning_rate.value, &place);
}

Offset<encoded::LayerInfo> Writer::layer_info(LayerInfo const& value) {
  auto const name = text(value.name), type = text(value.type);
  auto const parents = texts(value.parents), children = texts(value.children);
  auto const weights = texts(value.weights);
  auto const dims = each(value.dims, [&](std::vector<std::int64_t> const& sizes) {
    return encoded::CreateIntegers(builder_, builder_.CreateVector(sizes));
  });
  auto const inserted_by = text(value.inserted_by);
  auto const place = span(value.span);
  return encoded::CreateLayerInfo(builder_, name, type, parents, children, weights, dims,
                                  inserted_by, &place);
}

std::span<std::uint8_t const> Writer::write(Plan const& plan, std::uint64_t meaning) {
  auto& b = builder_;
  auto const all = content_ == Content::all;
  auto const experiment = text(plan.experiment);
  auto const sources = each(all ? plan.sources : std::vector<Source>{}, [&](Source const& source) {
    auto const name = text(source.name);
    return encoded::CreateSource(b, name, b.CreateString(source.text));
  });
  auto const overrides = texts(all ? plan.overrides : std::vector<std::string>{});
  auto const type = text(plan.training.type), name = text(plan.training.name);
  auto const training =
      encoded::CreateTrainingAlgorithm(b, type, name, plan.training.max_epochs,
                                       plan.training.max_batches, plan.training.max_seconds);
  auto const tensors =
      each(plan.program.tensors, [&](Tensor const& value) { return tensor(value); });
  auto const entry_points = each(plan.program.entry_points, [&](EntryPoint const& entry) {
    auto const instructions =
        each(entry.instructions, [&](Instruction const& value) { return instruction(value); });
    return encoded::CreateEntryPoint(b, text(entry.name), instructions);
  });
  auto const objective = measure(plan.objective);
  auto const metrics = each(plan.metrics, [&](Measure const& value) { return measure(value); });
  auto const weights =
      each(plan.weights, [&](WeightsInfo const& value) { return weights_info(value); });
  auto const layers = each(plan.layers, [&](LayerInfo const& value) { return layer_info(value); });
  auto const data = each(plan.data, [&](DataSource const& value) { return data_source(value); });
  auto const callbacks =
      each(plan.callbacks, [&](Declared const& value) { return declared(value); });
  auto const record_types = b.CreateVector(record_types_);
  b.Finish(encoded::CreatePlan(
               b, meaning, experiment, sources, overrides, static_cast<std::uint8_t>(plan.type),
               plan.mini_batch_size, plan.random_seed, training, record_types, tensors,
               entry_points, plan.mini_batch.value, plan.first_sample.value, plan.seed.value,
               plan.step.value, objective, metrics, weights, layers, data, callbacks),
           encoded::PlanIdentifier());
  return {b.GetBufferPointer(), b.GetSize()};
}

}  // namespace

std::uint64_t meaning_digest(Plan const& plan) {
  Writer writer(Content::meaning);
  return digest(writer.write(plan, 0));
}

std::vector<std::uint8_t> encode(Plan const& plan) {
  Writer writer(Content::all);
  auto const body = writer.write(plan, meaning_digest(plan));
  std::vector<std::uint8_t> file(plan_header_bytes + body.size());
  std::copy(body.begin(), body.end(), file.begin() + plan_header_bytes);
  write_header(file);
  return file;
}

}  // namespace lbann
