// What a callback's `lower` is given.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compiler/callbacks/callback.hpp"
#include "compiler/compilation/compilation.hpp"
#include "compiler/lowering/emitter.hpp"

namespace lbann::compiler {

/// What callbacks make of the step of one weights object; tensors that are not valid stand for 1.
struct StepRule {
  TensorId rate_factor;  ///< f64 scalar: the learning rate is multiplied by it
  TensorId active;       ///< f64 scalar: 0 where weights and optimizer stay as they are
};

/// Lowers callbacks one after the other, into `initialize`, `train` and entry points of their own.
class LoweredCallbacks final : public CallbackLowering {
 public:
  /// `train` has its gradients by now, and no updates yet.
  LoweredCallbacks(Compilation& compilation, TensorNames& names, std::string pass);

  /// All callbacks of the experiment that change numbers: those that take turns first, the others
  /// in the order they are written. The rules of the step, by `WeightsId`.
  std::vector<StepRule> lower_all();

  Declaration const& declaration() const override { return *callback_; }
  callbacks::ModelView const& model() const override { return model_; }
  TensorId weights(WeightsId id) const override { return state().weights[id.index()]; }
  TensorId gradient(WeightsId id) const override { return state().gradients[id.index()]; }
  TensorId learning_rate(WeightsId id) const override { return state().learning_rates[id.index()]; }
  TensorId hyperparameter(callbacks::Hyperparameter const& of) const override {
    return state().hyperparameter(of);
  }
  TensorId step() const override { return state().step; }
  TensorId steps_per_epoch() override { return given(compilation_.state.steps_per_epoch, "steps"); }
  TensorId epoch_samples() override { return given(compilation_.state.epoch_samples, "samples"); }
  TensorId objective_sum() const override { return state().objective.train_sum; }
  std::int64_t largest_mini_batch() const override {
    return compilation_.experiment.mini_batch_size;
  }
  TensorId state(std::string_view name, double initial) override;
  TensorId scalar(Expression expression, std::vector<TensorId> inputs) override;
  TensorId sum_of_squares(TensorId tensor) override;
  TensorId random(operators::Distribution distribution, TensorId like,
                  std::string_view purpose) override;
  void assign(TensorId target, Expression expression, std::vector<TensorId> inputs) override;
  void scale_step(WeightsId id, TensorId factor) override;
  void take_turns(WeightsId id, TensorId active) override;
  TensorId active(WeightsId id) const override { return rules_[id.index()].active; }
  void at(Timing const& timing) override;

 private:
  ProgramState const& state() const { return compilation_.state; }
  void lower(Declaration const& callback, CallbackType const& type);
  /// A statistic that the runtime writes, made when it is first asked for.
  TensorId given(TensorId& known, std::string_view name);
  void multiply(TensorId& factor, TensorId other);
  Origin origin() const;
  std::string type_name() const { return std::string(callback_->type->name); }

  Compilation& compilation_;
  TensorNames& names_;
  std::string pass_;
  callbacks::ModelView model_;
  std::vector<StepRule> rules_;
  Declaration const* callback_ = nullptr;  ///< the one that is lowered
  Emitter emitter_;                        ///< of the entry point that it writes to
  bool in_step_ = true;                    ///< it is `train`
  std::map<TensorId, TensorId> squares_;   ///< in the step: of weights and gradients as they are
};

}  // namespace lbann::compiler
