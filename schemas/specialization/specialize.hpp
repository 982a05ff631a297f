// From the plan's program to what one rank executes: bound sizes, order, buffers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schemas/plan/plan.hpp"
#include "schemas/specialization/mesh.hpp"

namespace lbann {

struct MeshAxis {
  std::string name;
  std::int64_t size = 1;
};

/// Where one rank stands.
struct Placement {
  std::int64_t trainers = 1;
  std::vector<MeshAxis> mesh = {{"data", 1}};
  std::int64_t rank = 0;        ///< inside the trainer
  std::int64_t mini_batch = 1;  ///< of the trainer
  std::int64_t threads = 1;     ///< of the rank; each has scratch memory of its own
  /// Whether the ranks of the trainer can share memory: they run on one node.
  bool one_node = false;
};

enum class Arena : std::uint8_t {
  weights,
  moments,
  statistics,
  gradients,
  inputs,
  results,
  scalars,  ///< inputs, results and statistics of one number: what the host looks at in each step
  activations,
  messages,  ///< sums over ranks that are no gradients, and status words
  shared     ///< seen by all ranks of the trainer: see FactorBroadcast, `share_gradients`
};
inline constexpr std::size_t arena_count = 10;
inline constexpr std::array<std::string_view, arena_count> arena_names = {
    "weights", "moments", "statistics",  "gradients", "inputs",
    "results", "scalars", "activations", "messages",  "shared"};
inline constexpr std::int64_t buffer_alignment = 64;

/// Samples that a rank holds of a tensor for a mini-batch of `mini_batch` samples on all ranks; 0
/// for one without mini-batch.
std::int64_t local_samples_of(Mesh const& mesh, Shape const& shape,
                              AxisDistribution const& distribution, std::int64_t mini_batch);

/// Bytes of an arena, from offset on; offsets hold for the largest batch.
struct Slot {
  Arena arena = Arena::activations;
  std::int64_t offset = 0;
  std::int64_t bytes = 0;
  bool used = false;  ///< tensors no instruction touches have no place
};

/// A communication that is started by one instruction and waited for before another, so that it
/// runs beside those in between: a collective, started by its own instruction and waited for
/// before `needed` (the number of instructions: at the end), with its operands untouched meanwhile;
/// a broadcast of factors, started before instruction `posted` and waited for before the product
/// that needs them; or a barrier, where a rank waits until all others have come to the same
/// instruction, to read what they have left in shared memory.
struct Message {
  enum class Kind : std::uint8_t { collective, factors, barrier };

  std::size_t posted = 0;
  std::size_t needed = 0;
  Kind kind = Kind::collective;
  std::uint32_t broadcast = 0;  ///< of factors: index in `SpecializedEntry::broadcasts`
  friend bool operator==(Message const&, Message const&) = default;
};

/// Rows of a matrix.
struct Rows {
  std::int64_t first = 0, last = 0;
  std::int64_t count() const { return last - first; }
  friend bool operator==(Rows const&, Rows const&) = default;
};

/// Rows that `rank` of `ranks` computes: multiples of 16, so that parts of a matrix are aligned.
Rows own_rows(std::int64_t rows, std::int64_t ranks, std::int64_t rank);

/// Elements that `rank` of `ranks` updates, of neighbours in shared memory: multiples of what
/// places are padded to, so that parts are aligned.
IndexRange own_elements(std::int64_t elements, std::int64_t ranks, std::int64_t rank);

/// An operand or result of the part of an instruction that one rank computes.
struct PartOperand {
  TensorType type;               ///< of the part
  std::int64_t first_entry = 0;  ///< where the part begins in the whole tensor
};

/// Sufficient-factor broadcast (Xie et al., "Distributed machine learning via sufficient factor
/// broadcasting", 2016) of one gradient [rows, columns] of weights, on ranks that share memory. The
/// gradient is a product a^T b over samples, updates its weights in the product's epilogue, and is
/// used by nothing else; so it is neither summed over ranks nor stored. Instead every rank copies
/// the factors a [batch, rows] and b [batch, columns] of its own samples to shared memory, and
/// computes some rows of the product for all samples. Weights and moments lie in shared memory too.
struct FactorBroadcast {
  std::size_t instruction = 0;         ///< the product, a matmul with the update as its epilogue
  std::int64_t rows = 0, columns = 0;  ///< of the weights
  /// Factors of a mini-batch of n samples: for each rank the columns of a that are its rows
  /// [n, rows of the rank], one block after the other; and b [n, columns].
  Slot a, b;
  /// What this rank computes: the operands of the product for its own rows. The batch in their
  /// types is the mini-batch of all ranks. The first two lie at `a` and `b`.
  std::vector<PartOperand> inputs, outputs;
};

/// What several ranks tell one another in every step: f64 counts, summed over ranks.
enum class StatusWord : std::uint8_t {
  terminate,
  interrupt,
  warned,
  time_over,
  failed,
  checkpoint_due,
  checkpoint_busy
};
inline constexpr std::int64_t status_words = 7;

struct SpecializedEntry {
  std::string name;
  std::vector<Instruction> instructions;    ///< in order of execution
  std::vector<Slot> scratch;                ///< per instruction, in the activations arena
  std::vector<Message> messages;            ///< in the order of posting, the same on all ranks
  std::vector<FactorBroadcast> broadcasts;  ///< in order of their instructions
  /// f64 [status_words], summed with the first message that can; invalid for a rank alone.
  TensorId status;
};

struct SpecializedProgram {
  std::vector<Tensor> tensors;  ///< those of the plan (same ids), then what specialisation added
  std::vector<Slot> slots;      ///< per tensor
  std::vector<SpecializedEntry> entries;
  std::array<std::int64_t, arena_count> arena_bytes{};
  std::int64_t largest_batch = 0;    ///< local samples of a full mini-batch on this rank
  std::int64_t mini_batch = 0;       ///< samples of a full mini-batch on all ranks
  std::int64_t rank = 0, ranks = 1;  ///< in the trainer
  Mesh mesh;
  AxisSet batch = data_axis;                    ///< axes that the given mini-batch is split over
  std::vector<AxisDistribution> distributions;  ///< per tensor of the plan
  std::vector<Shape> whole_shapes;              ///< per tensor: its shape on all ranks together
  bool splits_state = false;                    ///< some state `is_split`
  /// Tensors from here on are ranges over the places of others.
  std::size_t first_range = 0;
  /// Bytes of the gradients of each rank in shared memory, whose blocks lie there one after the
  /// other in the order of ranks; element k of each belongs to the same parameter.
  std::int64_t gradient_block = 0, own_gradients = 0;  ///< the latter: offset of this rank's block
  /// Elements of the tensors in shared memory of which each rank updates a part.
  std::vector<std::int64_t> split_updates;
  /// The largest sum of bytes in the activations arena that live at one instruction.
  std::int64_t live_bytes = 0;

  SpecializedEntry const* entry(std::string_view name) const;
  /// Whether a tensor is a part of the gradients that another rank computes.
  bool is_of_another_rank(TensorId tensor) const {
    auto const& slot = slots[tensor.index()];
    return slot.arena == Arena::shared && tensors[tensor.index()].role == TensorRole::gradient &&
           !(slot.offset >= own_gradients && slot.offset < own_gradients + gradient_block);
  }
  /// Bytes of the shared arena but for the gradients that other ranks compute.
  std::int64_t shared_bytes() const {
    auto const all = arena_bytes[static_cast<std::size_t>(Arena::shared)];
    return all - (ranks - 1) * gradient_block;
  }
  AxisDistribution distribution(TensorId tensor) const {
    return tensor.index() < distributions.size() ? distributions[tensor.index()]
                                                 : AxisDistribution();
  }
  /// This rank's samples of a tensor, of `mini_batch` on all ranks.
  std::int64_t samples(TensorId tensor, std::int64_t mini_batch) const {
    return local_samples_of(mesh, whole_shapes[tensor.index()], distribution(tensor), mini_batch);
  }
  /// Those of them that `instruction` works on: all, or those of its panel.
  std::int64_t samples(Instruction const& instruction, TensorId tensor,
                       std::int64_t mini_batch) const;
  /// Samples of `tensor`, whose first dimension is theirs, in the panel of `instruction`: counted
  /// from the first that this rank has.
  std::vector<IndexRange> panel_of(Instruction const& instruction, TensorId tensor,
                                   std::int64_t mini_batch) const;
  /// This rank's samples where it executes `instruction`: those of an operand that has any.
  std::int64_t samples_of(Instruction const& instruction, std::int64_t mini_batch) const;
  /// What this rank holds of a tensor.
  Box box(TensorId tensor, std::int64_t mini_batch) const {
    return box_of(whole_shapes[tensor.index()], distribution(tensor), mesh, mini_batch, rank);
  }
  /// Whether ranks hold different parts of it, beside those of a mini-batch.
  bool is_split(TensorId tensor) const {
    return !whole_shapes[tensor.index()].has_batch() && distribution(tensor).axes() != 0 &&
           mesh.size(distribution(tensor).axes()) > 1;
  }
};

/// The broadcast whose product is instruction `instruction` of `entry`; null if it is none.
FactorBroadcast const* broadcast_of(SpecializedEntry const& entry, std::size_t instruction);

/// Bytes that `entry` reads of the gradients of other ranks from the barrier before instruction
/// `first` to the next one.
std::int64_t bytes_of_other_ranks(SpecializedProgram const& program, SpecializedEntry const& entry,
                                  std::size_t first);

/// Local samples of `rank` among `ranks` for a mini-batch of `samples`: they differ by at most one.
std::int64_t local_samples(std::int64_t samples, std::int64_t ranks, std::int64_t rank);

/// Pure, linear in the instructions, independent of the number of ranks: runs the passes of
/// pipeline.hpp.
Result<SpecializedProgram> specialize(Plan const& plan, Placement const& placement);

/// Digest of all messages in their order: entry point, operator and axes, tensor and type. Ranks
/// whose digests differ would wait for one another for ever.
std::uint64_t message_digest(SpecializedProgram const& program);

/// Arenas, tensors with their places, instructions; for people.
std::string to_text(SpecializedProgram const& program);

}  // namespace lbann
