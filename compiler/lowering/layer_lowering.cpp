// What a layer's `lower` is given.
#include "compiler/lowering/layer_lowering.hpp"

#include <algorithm>
#include <stdexcept>

#include "compiler/lowering/stable_hash.hpp"
#include "schemas/expression/builder.hpp"

namespace lbann::compiler {

LayerLowering::LayerLowering(Graph const& graph, ProgramState const& state, DataType type,
                             Emitter& emitter, bool training)
    : graph_(graph),
      state_(state),
      type_(type),
      emitter_(emitter),
      training_(training),
      outputs_(graph.layers.size()),
      values_(graph.layers.size()) {}

void LayerLowering::lower(LayerId layer) {
  layer_ = layer;
  unnamed_.clear();
  outputs_[layer.index()].resize(graph_[layer].outputs.size());
  auto const& type = *graph_[layer].type;
  type.lower(graph_[layer].declaration.object.get(), *this);
  if (!std::ranges::all_of(outputs_[layer.index()], &TensorId::valid))
    throw std::logic_error("layer `" + graph_[layer].name + "` left an output out");
}

TensorId LayerLowering::in_own_type(TensorId tensor) {
  auto const given = emitter_.program()[tensor].type.type;
  // What each operator takes as it is, `convert_inputs` says.
  bool const is_read_as_given = is_sixteen_bit(stored_type()) && is_sixteen_bit(given);
  return is_floating(given) && !is_read_as_given ? converted(tensor, type()) : tensor;
}

TensorId LayerLowering::converted(TensorId tensor, DataType type) {
  auto const given = emitter_.program()[tensor].type;
  if (given.type == type) return tensor;
  if (auto const known = converted_.find({tensor, type}); known != converted_.end())
    return known->second;
  // Computed in the type it has, so that it can join the instruction that makes it.
  ExpressionBuilder build;
  operators::map map{
      build.finish({build.operand(0)}), given.shape, compute_type_of(given.type), {type}};
  auto const made = emit(std::move(map), {tensor})[0];
  converted_.insert({{tensor, type}, made});
  return made;
}

void LayerLowering::convert_inputs(Operator const& op, std::vector<TensorId>& inputs) {
  auto const takes = sixteen_bit_inputs(op);
  if (takes == SixteenBitInputs::as_given) return;
  for (auto& input : inputs) {
    auto const given = emitter_.program()[input].type.type;
    if (takes == SixteenBitInputs::narrowed && is_floating(given))
      input = converted(input, stored_type());
    else if (is_sixteen_bit(given))
      input = converted(input, type());
  }
}

TensorId LayerLowering::input(std::size_t index) {
  auto const& edge = layer().parents[index];
  return in_own_type(outputs_[edge.layer.index()][edge.output]);
}

Dims const& LayerLowering::input_dims(std::size_t index) const {
  auto const& edge = layer().parents[index];
  return graph_[edge.layer].outputs[edge.output];
}

TensorId LayerLowering::stored_weights(std::size_t role) const {
  return state_.weights[layer().weights[role].index()];
}

TensorId LayerLowering::weights(std::size_t role) { return in_own_type(stored_weights(role)); }

Dims const& LayerLowering::weights_dims(std::size_t role) const {
  return graph_.weights[layer().weights[role].index()].dims;
}

TensorId LayerLowering::field_input(std::string_view data_field) {
  for (auto const& [name, tensor] : state_.fields)
    if (name == data_field) return in_own_type(tensor);
  throw std::logic_error("no input for data field `" + std::string(data_field) + "`");
}

std::int64_t LayerLowering::key(std::string_view purpose) const {
  return stable_hash(layer().name + "/" + std::string(purpose));
}

std::vector<TensorId> LayerLowering::emit(Operator op, std::vector<TensorId> inputs) {
  if (is_sixteen_bit(stored_type())) convert_inputs(op, inputs);
  auto const base = (training_ ? "" : "evaluate.") + layer().name;
  auto outputs = emitter_.emit(std::move(op), std::move(inputs), origin(), base);
  unnamed_.insert(unnamed_.end(), outputs.begin(), outputs.end());
  return outputs;
}

TensorId LayerLowering::map(Expression expression, std::vector<TensorId> inputs,
                            std::optional<Shape> shape) {
  for (std::size_t i = 0; i < inputs.size() && !shape; ++i) {
    Shape common;
    for (auto const input : inputs) {
      auto const both = broadcast(common, emitter_.program()[input].type.shape);
      if (!both) throw std::logic_error("layer `" + layer().name + "`: shapes do not broadcast");
      common = *both;
    }
    shape = common;
  }
  // What is multiplied by 0, or chosen never, is not read.
  if (auto const used = used_operands(expression); used.size() != inputs.size()) {
    std::vector<std::size_t> numbers(expression.operand_count(), 0);
    std::vector<TensorId> read;
    for (auto const number : used) {
      numbers[number] = read.size();
      read.push_back(inputs[number]);
    }
    expression = renumbered(expression, numbers);
    inputs = std::move(read);
  }
  operators::map map;
  map.expression = std::move(expression);
  map.shape = shape.value_or(Shape{});
  map.compute = type();
  map.types = {type()};
  return emit(std::move(map), std::move(inputs))[0];
}

TensorId LayerLowering::reshape(TensorId tensor, Shape shape) {
  if (emitter_.program()[tensor].type.shape == shape) return tensor;
  return emit(operators::reshape{std::move(shape)}, {tensor})[0];
}

void LayerLowering::update(std::size_t role, Expression expression, std::vector<TensorId> inputs) {
  if (!training_) return;
  auto const weights = stored_weights(role);
  inputs.insert(inputs.begin(), weights);
  updates_.push_back({weights, std::move(expression), std::move(inputs), origin()});
}

void LayerLowering::output(std::size_t index, TensorId tensor) {
  auto const given = emitter_.program()[tensor].type.type;
  bool const narrows =
      is_sixteen_bit(stored_type()) && is_floating(given) && !is_sixteen_bit(given);
  if (narrows && !emitter_.store_as(tensor, stored_type()))
    tensor = converted(tensor, stored_type());
  tensor = reshape(tensor, batched(layer().outputs[index]));
  name_output(index, tensor);
  outputs_[layer_.index()][index] = tensor;
}

void LayerLowering::measure(TensorId scalar) {
  name_output(0, scalar);
  values_[layer_.index()] = scalar;
}

void LayerLowering::name_output(std::size_t index, TensorId tensor) {
  auto const made = std::ranges::find(unnamed_, tensor);
  if (made == unnamed_.end()) return;
  unnamed_.erase(made);
  emitter_.rename(tensor,
                  (training_ ? "" : "evaluate.") + layer().name + "." + std::to_string(index));
}

}  // namespace lbann::compiler
