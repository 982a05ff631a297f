// Tensors of the program that more than one pass must find: inputs, results and state.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "compiler/callbacks/hyperparameter.hpp"
#include "schemas/plan/plan.hpp"

namespace lbann::compiler {

/// Weights that become `expression` of `inputs`, computed in f64, after a step of training.
struct StateUpdate {
  TensorId weights;
  Expression expression;
  std::vector<TensorId> inputs;
  Origin origin;
};

/// Made by `lower_to_operators`; passes after it keep the ids.
struct ProgramState {
  /// Of an objective or metric.
  struct Sums {
    TensorId step_value, train_sum, evaluate_sum;
  };

  TensorId mini_batch, first_sample, seed, step;
  TensorId step_samples, samples_before;  ///< of gradient accumulation: see Plan
  /// Of mixed precision with f16, f64 scalars: what the objective is multiplied by, steps since a
  /// gradient was not finite or the scale grew, and steps with such a gradient since the start.
  TensorId loss_scale, finite_steps, skipped_steps;
  std::int64_t full_mini_batch = 0;                      ///< the most samples of a micro-batch
  std::vector<StateUpdate> updates;                      ///< of weights that are not trained
  std::vector<std::pair<std::string, TensorId>> fields;  ///< inputs by data field
  std::vector<TensorId> weights;                         ///< by `WeightsId`, as all below
  std::vector<TensorId> learning_rates, gradients;       ///< invalid if not trained
  std::vector<std::vector<TensorId>> moments, counters;
  /// Numbers of layers and optimizers that callbacks change, f64 scalars.
  std::vector<std::pair<callbacks::Hyperparameter, TensorId>> hyperparameters;
  TensorId steps_per_epoch, epoch_samples;  ///< invalid where no callback needs them
  Sums objective;
  TensorId evaluated_objective;  ///< of a step of `evaluate`; an activation
  std::vector<Sums> metrics;
  /// Outputs of each layer in `train` and in `evaluate`.
  std::vector<std::vector<TensorId>> outputs, evaluated_outputs;
  std::vector<TensorId> error_signals;     ///< after `derive_backward`, by tensor of `train`
  std::vector<Observation> observations;   ///< after `observe`
  std::vector<ModelOutput> model_outputs;  ///< after `emit_prediction`

  /// An invalid id for a number that no callback changes.
  TensorId hyperparameter(callbacks::Hyperparameter const& wanted) const {
    for (auto const& [known, tensor] : hyperparameters)
      if (known.names(wanted)) return tensor;
    return {};
  }
};

}  // namespace lbann::compiler
