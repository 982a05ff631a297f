// The program: tensors and the instructions of each entry point, for every rank and batch alike.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schemas/operators/operators.hpp"
#include "schemas/program/panel.hpp"
#include "schemas/vocabulary/span.hpp"

namespace lbann {

/// Where a tensor lives and for how long.
enum class TensorRole : std::uint8_t {
  input,    ///< filled by the runtime before a step: data fields, `mini_batch_size`, `first_sample`
  result,   ///< read by the host after a step
  weights,  ///< state: what is trained, or loaded, or saved
  moment,   ///< state of an optimizer, shaped like its `owner`
  statistic,   ///< state: running statistics, sums of metrics, counters, rates, seed
  gradient,    ///< of the objective with respect to its `owner`, for one step
  activation,  ///< any other value of one step
};
inline constexpr std::array<std::string_view, 7> tensor_role_names = {
    "input", "result", "weights", "moment", "statistic", "gradient", "activation"};

constexpr bool is_state(TensorRole role) {
  return role == TensorRole::weights || role == TensorRole::moment || role == TensorRole::statistic;
}

/// How a tensor is distributed over the ranks of a mesh: for each dimension the mesh axes it is
/// split over, and the axes over which it is a partial sum (its value is the sum over their ranks).
struct Distribution {
  std::vector<std::vector<std::string>> split;  ///< per dimension; empty: nothing is split
  std::vector<std::string> partial;
  friend bool operator==(Distribution const&, Distribution const&) = default;
};

/// What caused a tensor or instruction: the layer (or weights, metric) and its place in the text,
/// and the pass that made it if the user did not write it.
struct Origin {
  std::string name;
  std::string pass;
  Span span;
  friend bool operator==(Origin const&, Origin const&) = default;
};

struct Tensor {
  /// Unique in the program: `<layer>.<output>`, `<weights>`, `<weights>/velocity`, ...
  std::string name;
  TensorType type;
  TensorRole role = TensorRole::activation;
  TensorId owner;         ///< for moments and gradients: the weights
  std::uint8_t slot = 0;  ///< for moments: which of the owner's (velocity 0; Adam's 0 and 1)
  Distribution distribution;
  Origin origin;
};

struct Instruction {
  Operator op;
  std::vector<TensorId> inputs;
  std::vector<TensorId> outputs;  ///< an output that is state or also an input is written in place
  Origin origin;
  /// Set by specialization, never in a plan: the gradient in this product's epilogue is computed by
  /// sufficient-factor broadcast (see FactorBroadcast).
  bool factor_broadcast = false;
  /// Set by specialization, never in a plan: it reads what other ranks have left in shared memory,
  /// and waits until all of them have come to it.
  bool awaits_ranks = false;
  /// Set by specialization, never in a plan: it works on these samples alone.
  std::optional<Panel> panel = {};
};

/// A point of training between the instructions of two steps.
enum class Moment : std::uint8_t {
  training_begin,  ///< after `initialize` and after weights were loaded
  step_begin,      ///< counted by the steps finished before
  step_end,        ///< counted by the steps finished, this one included
  epoch_end,       ///< of a complete epoch, counted by the epochs finished, this one included
};
inline constexpr std::array<std::string_view, 4> moment_names = {"training_begin", "step_begin",
                                                                 "step_end", "epoch_end"};

/// When the runtime runs an entry point that is no part of a step: at every count of `moment` that
/// is `first`, `first + interval`, ... and at most `last`. Counts start at the begin of training,
/// where the one of `training_begin` is 0.
struct Timing {
  Moment moment = Moment::training_begin;
  std::int64_t first = 0;
  std::int64_t interval = 1;
  std::int64_t last = std::numeric_limits<std::int64_t>::max();

  constexpr bool due(std::int64_t count) const {
    return count >= first && count <= last && (count - first) % interval == 0;
  }
  friend bool operator==(Timing const&, Timing const&) = default;
};

/// A list of instructions without branches: every tensor is written before it is read, activations
/// exactly once.
/// - `initialize`, `train`, `evaluate`;
/// - `predict`: what layers compute, of which a run chooses some outputs
/// (schemas/plan/prediction.hpp);
///   no state is written;
/// - `train.observed`, `evaluate.observed`: the same, with results that callbacks read;
/// - `objective.train`, `objective.evaluate`: the objective of a mini-batch, as a step in that mode
///   computes it; no state is written, and the runtime varies weights around it;
/// - `gradients.train`, `gradients.evaluate`: the gradients of weights as well;
/// - `accumulate`: as `train`, for all micro-batches but the last; their gradients are added up in
///   the memory of gradients, and weights stay;
/// - with a `timing`: what callbacks change of state between steps. All state may be written.
inline constexpr std::string_view predict_entry = "predict", accumulate_entry = "accumulate";

struct EntryPoint {
  std::string name;
  std::vector<Instruction> instructions;
  std::optional<Timing> timing = {};
};

struct Program {
  std::vector<Tensor> tensors;
  std::vector<EntryPoint> entry_points;

  Tensor const& operator[](TensorId id) const { return tensors[id.index()]; }
  Tensor& operator[](TensorId id) { return tensors[id.index()]; }
  EntryPoint const* entry_point(std::string_view name) const;
  EntryPoint* entry_point(std::string_view name);
  /// Adds a tensor; its name must be new (`verify` tells).
  TensorId add(Tensor tensor);
};

/// Signature of an instruction, from the tensor table.
TensorTypes input_types(Program const& program, Instruction const& instruction);
TensorTypes output_types(Program const& program, Instruction const& instruction);

/// Text form, one line per tensor and instruction; `parse_program` gives back an equal program
/// but for spans.
///
///     tensor x: input f32 [batch, 4]
///     tensor w: weights f32 [3, 4] from ip
///     tensor ip.0: activation f32 [batch, 3] from ip by lower_to_operators
///     entry set_weights_value at step_begin from 3 to 3:
///       w = map() {...} from w by apply_callbacks
///     entry train:
///       ip.0 = matmul(x, w) {transpose_b: true} from ip by lower_to_operators
///
/// Fields equal to their defaults are left out. A name that is not plain (letters, digits and
/// `_./+-`) stands in double quotes.
std::string to_text(Program const& program);
/// One line, without its end.
std::string to_text(Program const& program, Instruction const& instruction);
Result<Program> parse_program(std::string_view text);

/// Whether weights may have other values after `entry` than before, and not by an update of
/// `train`: it writes some, or it is an objective that the runtime varies them around.
bool changes_weights(Program const& program, EntryPoint const& entry);

/// Checks everything that must hold of any program: ids in range, names unique, shapes and
/// types as the operators' rules give them, written before read, activations written once, state
/// written only by entry points that may (`evaluate` writes statistics that `train` does not). What
/// does not hold, or nothing. Distributions are checked by `verify_distribution`.
std::optional<std::string> verify(Program const& program);

}  // namespace lbann
