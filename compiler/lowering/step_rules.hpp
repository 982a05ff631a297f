// What callbacks make of the gradients and of the steps of optimizers.
#pragma once

#include "compiler/compilation/compilation.hpp"
#include "compiler/lowering/emitter.hpp"
#include "schemas/callbacks/alternate_updates.hpp"
#include "schemas/callbacks/clip_gradient_norm.hpp"
#include "schemas/callbacks/optimizerwise_adaptive_learning_rate.hpp"

namespace lbann::compiler {

/// For one weights object; invalid tensors stand for 1.
struct StepRule {
  TensorId rate_factor;  ///< f64 scalar: the learning rate is multiplied by it
  TensorId active;       ///< f64 scalar: 0 where weights and optimizer stay as they are
};

/// Rules while callbacks add to them, and the instructions these need.
class StepRules {
 public:
  StepRules(Compilation const& compilation, Emitter& emitter);

  Compilation const& compilation() const { return compilation_; }
  Emitter& emitter() { return emitter_; }
  StepRule& operator[](WeightsId id) { return rules_[id.index()]; }
  std::vector<StepRule> take() && { return std::move(rules_); }

  /// A scalar map in f64 that belongs to weights.
  TensorId scalar(Expression expression, std::vector<TensorId> inputs, WeightsId id);
  void multiply(TensorId& factor, TensorId other, WeightsId id);
  /// The sum of the squares of weights, and of their gradient as it now is.
  TensorId weights_squares(WeightsId id);
  TensorId gradient_squares(WeightsId id);
  /// The gradient is from here on `factor` times what it was.
  void scale_gradient(WeightsId id, TensorId factor);

 private:
  TensorId square_sum(TensorId tensor, WeightsId id);
  Origin origin(WeightsId id) const;
  std::string base(WeightsId id) const;

  Compilation const& compilation_;
  Emitter& emitter_;
  std::vector<StepRule> rules_;
  std::vector<TensorId> squares_;  ///< of gradients, until they change
};

// One for each callback that is an instruction, in a file of its name.

/// Scales gradients in place. Norms are of gradients summed over ranks, since these are what the
/// program holds; weights whose turn it is not do not count.
void apply(callbacks::clip_gradient_norm const& fields, StepRules& rules);
void apply(callbacks::optimizerwise_adaptive_learning_rate const& fields, StepRules& rules);
/// `turn` counts steps since the first group's turn began.
void apply(callbacks::alternate_updates const& fields, TensorId turn, StepRules& rules);
/// After the updates: counts the step.
void advance(callbacks::alternate_updates const& fields, TensorId turn, Emitter& emitter);

/// Emits what callbacks do before the updates, those that take turns first, the others in the order
/// they are written. By `WeightsId`.
std::vector<StepRule> emit_step_rules(Compilation const& compilation, Emitter& emitter);

/// After the updates: counts the step of those that take turns.
void emit_turns(Compilation const& compilation, Emitter& emitter);

}  // namespace lbann::compiler
