// The steps from a plan's program to one rank's, and what they work on.
#pragma once

#include <algorithm>

#include "schemas/specialization/specialize.hpp"

namespace lbann {

/// The program on its way through the steps.
struct Specialization {
  Placement const& placement;
  Program program;
  /// Local samples of a full mini-batch.
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
  std::vector<TensorId> status;                        ///< per entry point: its status words
  std::vector<std::vector<Message>> messages;          ///< per entry point
  std::vector<std::vector<GatheredProduct>> products;  ///< per entry point
  std::array<std::int64_t, arena_count> arena_bytes{};
  std::int64_t live_bytes = 0;  ///< see SpecializedProgram

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

  /// Whether `instruction` is a product of gathered factors.
  bool gathers(Instruction const& instruction) const {
    return std::holds_alternative<operators::matmul>(instruction.op) &&
           is_shared(instruction.outputs[0]);
  }

  std::int64_t bytes(TensorId tensor) const {
    auto const& type = program[tensor].type;
    return type.shape.elements(largest_batch) * static_cast<std::int64_t>(bytes_of(type.type));
  }

  /// Bytes from the place that `bucket` gives a tensor to that of the next.
  std::int64_t padded_bytes(TensorId tensor) const;
};

inline constexpr std::int32_t no_bucket = -1;

/// Ranks that share a mini-batch.
inline std::int64_t data_ranks(Placement const& placement) {
  auto const data = std::ranges::find(placement.mesh, "data", &MeshAxis::name);
  return data == placement.mesh.end() ? 1 : data->size;
}

inline bool is_collective(Instruction const& instruction) {
  return std::holds_alternative<operators::all_reduce>(instruction.op);
}

/// Weights, gradients and moments take a multiple of this many elements, so that ranges of any type
/// are congruent and every tensor is aligned.
inline constexpr std::int64_t congruence = buffer_alignment / 2;

constexpr std::int64_t aligned(std::int64_t bytes) {
  return (bytes + buffer_alignment - 1) / buffer_alignment * buffer_alignment;
}

constexpr Arena arena_of(TensorRole role) {
  switch (role) {
    case TensorRole::input:
      return Arena::inputs;
    case TensorRole::result:
      return Arena::results;
    case TensorRole::weights:
      return Arena::weights;
    case TensorRole::moment:
      return Arena::moments;
    case TensorRole::statistic:
      return Arena::statistics;
    case TensorRole::gradient:
      return Arena::gradients;
    case TensorRole::activation:
      break;
  }
  return Arena::activations;
}

/// Binds the mesh and the batch: `largest_batch` from the rank's place; refuses a placement that
/// is impossible or that the program's distributions do not know.
Result<Success> bind(Specialization& specialization);

/// Where ranks share memory: finds gradients of large weights that are products over samples and
/// are used by nothing but the update of these weights. They need no sum over ranks: their factors
/// are smaller, and gathered instead (see GatheredProduct). The update becomes the epilogue of the
/// product.
void gather_factors(Plan const& plan, Specialization& specialization);

/// Removes collectives over mesh axes of size one: their output becomes another name of their
/// input, or the reverse; where neither can be renamed a reshape remains.
void drop_collectives(Specialization& specialization);

/// Takes sums over ranks in the memory of their parts, where nobody else needs these, and adds to
/// each entry point but `initialize` the sum of `status_words` that the runtime fills in.
void reduce_in_place(Specialization& specialization);

/// Chooses how each tensor lies in memory: C order everywhere, and the output of a reshape where
/// its input lies. Where that would let one overwrite the other, or both have a place of their own
/// (state, gradients, inputs, results), the reshape becomes a copy. The place where channels-last
/// chains will be chosen.
void layout(Specialization& specialization);

/// Gives every tensor but activations its place. Weights, gradients and each slot of moments stand
/// in order of gradient readiness, within a bucket those of one type together, at congruent
/// offsets; sums over ranks as neighbours in the arena of messages. Gradients that are summed over
/// ranks are cut into buckets: ranges of their arena.
void bucket(Specialization& specialization);

/// Joins maps that differ only in the weights they work on: one map over a range of the arenas. A
/// range includes the padding between its tensors, and ends with the bucket.
void merge_updates(Specialization& specialization);

/// Moves updates of state up to where their operands exist. What needs the outcome of a collective
/// or gathered factors, and is needed by nothing else, goes to the end instead, so that messages
/// have time to travel. All else keeps its order.
void order(Specialization& specialization);

/// Makes one collective of those of a bucket, where the last of them stands, as long as no result
/// is needed before.
void join_messages(Specialization& specialization);

/// Finds when factors can be posted, and who needs each message first; then gives activations and
/// scratch their places, by liveness. What a message carries lives until it has arrived.
Result<Success> place(Specialization& specialization);

}  // namespace lbann
