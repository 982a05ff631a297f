// What a layer's `lower` is given.
#pragma once

#include <map>

#include "compiler/compilation/program_state.hpp"
#include "compiler/graph/graph.hpp"
#include "compiler/lowering/emitter.hpp"

namespace lbann::compiler {

/// Lowers layers one after the other, in their order, into one entry point.
class LayerLowering final : public LoweringContext {
 public:
  /// `type`: that of layers that have no other.
  LayerLowering(Graph const& graph, ProgramState const& state, DataType type, Emitter& emitter,
                bool training);

  /// Lowers the next layer.
  void lower(LayerId layer);
  /// Outputs of every layer.
  std::vector<std::vector<TensorId>> const& outputs() const { return outputs_; }
  /// What becomes of weights after a step, in order.
  std::vector<StateUpdate> const& updates() const { return updates_; }
  /// What an evaluation layer measured.
  TensorId value_of(LayerId evaluation) const { return values_[evaluation.index()]; }

  bool training() const override { return training_; }
  bool frozen() const override { return layer().freeze; }
  DataType type() const override { return compute_type_of(stored_type()); }
  std::size_t input_count() const override { return layer().parents.size(); }
  TensorId input(std::size_t index) override;
  Dims const& input_dims(std::size_t index) const override;
  std::size_t output_count() const override { return layer().outputs.size(); }
  Dims const& output_dims(std::size_t index) const override { return layer().outputs[index]; }
  std::size_t weights_count() const override { return layer().weights.size(); }
  TensorId weights(std::size_t role) override;
  Dims const& weights_dims(std::size_t role) const override;
  TensorId field_input(std::string_view data_field) override;
  std::int64_t key(std::string_view purpose) const override;
  TensorId hyperparameter(std::string_view field) const override {
    return state_.hyperparameter({callbacks::Hyperparameter::Of::layer, layer_.index(), field});
  }
  TensorId seed() const override { return state_.seed; }
  TensorId step() const override { return state_.step; }
  TensorId first_sample() const override { return state_.first_sample; }
  TensorId mini_batch() const override { return state_.mini_batch; }
  std::int64_t full_mini_batch() const override { return state_.full_mini_batch; }
  void update(std::size_t role, Expression expression, std::vector<TensorId> inputs) override;
  std::vector<TensorId> emit(Operator op, std::vector<TensorId> inputs) override;
  TensorId map(Expression expression, std::vector<TensorId> inputs,
               std::optional<Shape> shape) override;
  TensorId reshape(TensorId tensor, Shape shape) override;
  void output(std::size_t index, TensorId tensor) override;
  void measure(TensorId scalar) override;

 private:
  GraphLayer const& layer() const { return graph_[layer_]; }
  Origin origin() const { return {layer().name, {}, layer().span}; }
  TensorId stored_weights(std::size_t role) const;
  /// The type of the layer's outputs.
  DataType stored_type() const { return layer().datatype.value_or(type_); }
  /// `tensor` as the layer reads it: the one place where types of layers and weights meet.
  TensorId in_own_type(TensorId tensor);
  /// `tensor` converted to `type`, once.
  TensorId converted(TensorId tensor, DataType type);
  /// `inputs` as `op` takes them in a layer that stores in 16 bits.
  void convert_inputs(Operator const& op, std::vector<TensorId>& inputs);
  /// Names a tensor `<layer>.<index>` if this layer made it and has not named it yet.
  void name_output(std::size_t index, TensorId tensor);

  Graph const& graph_;
  ProgramState const& state_;
  DataType type_;
  Emitter& emitter_;
  bool training_;
  LayerId layer_;
  std::vector<std::vector<TensorId>> outputs_;  ///< per layer
  std::vector<TensorId> values_;                ///< per layer, of evaluations
  std::map<std::pair<TensorId, DataType>, TensorId> converted_;
  std::vector<TensorId> unnamed_;  ///< made by this layer
  std::vector<StateUpdate> updates_;
};

}  // namespace lbann::compiler
