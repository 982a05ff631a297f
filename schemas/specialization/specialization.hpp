// The state of specialization: what its passes read and write.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "schemas/plan/prediction.hpp"
#include "schemas/specialization/specialize.hpp"

namespace lbann {

/// A copy of the plan's program, and what passes have found about it so far.
struct Specialization {
  Specialization(Plan const& of, Placement const& where)
      : plan(of), placement(where), program(of.program) {
    // Predictions are the whole of a plan of their own (schemas/plan/prediction.hpp).
    if (program.entry_point("train") != nullptr) drop_prediction(program);
  }

  /// What a tensor is distributed as; those that specialization adds are not split.
  AxisDistribution const& distribution(TensorId tensor) const {
    static constexpr AxisDistribution none;
    return tensor.index() < distributions.size() ? distributions[tensor.index()] : none;
  }
  /// This rank's samples of a tensor, for a mini-batch of `mini_batch` on all ranks.
  std::int64_t samples(TensorId tensor, std::int64_t mini_batch) const {
    return local_samples_of(mesh, program[tensor].type.shape, distribution(tensor), mini_batch);
  }

  Plan const& plan;
  Placement const& placement;
  Program program;
  Mesh mesh;
  MeshAxes axes;
  AxisSet batch = data_axis;  ///< see `batch_axes`
  std::vector<AxisDistribution>
      distributions;                ///< per tensor; the last ones left out are not split
  bool is_local = false;            ///< shapes are those of parts, after `localise`
  std::vector<Shape> whole_shapes;  ///< per tensor then: its shape before
  /// Samples of this rank in a full mini-batch.
  std::int64_t largest_batch = 0;
  /// Per tensor of the plan: whether it lies in memory that ranks share.
  std::vector<bool> shared;
  /// Per tensor: the tensor whose memory it uses; itself unless `layout` made it an alias.
  std::vector<TensorId> storage;
  /// Per tensor added by `merge_updates`, from `first_range` on: the storages it covers.
  std::vector<std::vector<TensorId>> ranges;
  std::size_t first_range = 0;
  std::vector<Slot> slots;
  std::vector<std::vector<Slot>> scratch;  ///< per entry point and instruction
  /// Per tensor of before `first_range`, for storages: the bucket its sum over ranks travels in.
  std::vector<std::int32_t> bucket;
  std::vector<TensorId> status;                          ///< per entry point: its status words
  std::vector<std::vector<Message>> messages;            ///< per entry point
  std::vector<std::vector<FactorBroadcast>> broadcasts;  ///< per entry point
  std::array<std::int64_t, arena_count> arena_bytes{};
  std::int64_t gradient_block = 0, own_gradients = 0;  ///< see SpecializedProgram
  std::vector<std::int64_t> split_updates;             ///< the same
  std::int64_t live_bytes = 0;                         ///< see SpecializedProgram

  /// Calls `visit` with every storage that an access to `tensor` touches.
  template <class Visit>
  void each_storage(TensorId tensor, Visit visit) const {
    if (tensor.index() < first_range)
      visit(storage[tensor.index()]);
    else
      for (auto covered : ranges[tensor.index() - first_range]) visit(covered);
  }

  /// The one storage of `tensor`; invalid for a range.
  TensorId storage_of(TensorId tensor) const {
    return tensor.index() < first_range ? storage[tensor.index()] : TensorId();
  }

  bool is_shared(TensorId tensor) const {
    return tensor.index() < shared.size() && shared[tensor.index()];
  }

  /// Of this rank's part; of weights, gradients and moments that of the largest part, so that their
  /// places are the same on all ranks.
  std::int64_t bytes(TensorId tensor) const {
    return elements(tensor) * static_cast<std::int64_t>(bytes_of(program[tensor].type.type));
  }
  std::int64_t elements(TensorId tensor) const;

  /// Bytes from the place that `bucket` gives a tensor to that of the next.
  std::int64_t padded_bytes(TensorId tensor) const;
};

inline constexpr std::int32_t no_bucket = -1;

/// Whether all ranks, several ones that split only samples, see memory of one node.
inline bool shares_memory(Specialization const& specialization) {
  auto const& mesh = specialization.mesh;
  return specialization.placement.one_node && mesh.size(data_axis) > 1 &&
         mesh.ranks() == mesh.size(data_axis);
}

inline bool is_sum(Instruction const& instruction) {
  return std::holds_alternative<operators::all_reduce>(instruction.op);
}

/// The mesh axes of a collective; null for other operators.
std::vector<std::string> const* axes_of_collective(Operator const& op);

inline bool is_collective(Instruction const& instruction) {
  return axes_of_collective(instruction.op) != nullptr;
}

/// Weights, gradients and moments are padded to a multiple of this many elements, whatever their
/// type: so element k of an arena belongs to the same parameter in weights, gradients and moments,
/// and every tensor is aligned.
inline constexpr std::int64_t padded_elements = buffer_alignment / 2;

constexpr std::int64_t aligned(std::int64_t bytes) {
  return (bytes + buffer_alignment - 1) / buffer_alignment * buffer_alignment;
}

inline Arena arena_of(Tensor const& tensor) {
  bool const scalar = tensor.type.shape.rank() == 0;
  switch (tensor.role) {
    case TensorRole::input:
      return scalar ? Arena::scalars : Arena::inputs;
    case TensorRole::result:
      return scalar ? Arena::scalars : Arena::results;
    case TensorRole::weights:
      return Arena::weights;
    case TensorRole::moment:
      return Arena::moments;
    case TensorRole::statistic:
      return scalar ? Arena::scalars : Arena::statistics;
    case TensorRole::gradient:
      return Arena::gradients;
    case TensorRole::activation:
      break;
  }
  return Arena::activations;
}

/// Checks what must hold of `specialization` after the passes named in `established` (the first
/// ones of the pipeline, in order): sound instructions, buffers inside their arenas, no two values
/// that are live at the same time in the same bytes. What does not hold, or nothing.
std::optional<std::string> verify(Specialization const& specialization,
                                  std::span<std::string_view const> established);

/// Program, buffers and messages as far as they are decided, as text for developers.
std::string to_text(Specialization const& specialization);

}  // namespace lbann
