// From the plan's program to what one rank executes: bound sizes, order, buffers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schemas/plan/plan.hpp"

namespace lbann {

enum class Device : std::uint8_t { cpu, cuda };
enum class Determinism : std::uint8_t { standard, exact };

struct MeshAxis {
  std::string name;
  std::int64_t size = 1;
};

/// Where one rank stands.
struct Placement {
  std::int64_t trainers = 1;
  std::vector<MeshAxis> mesh = {{"data", 1}};
  std::int64_t rank = 0;  ///< inside the trainer
  Device device = Device::cpu;
  std::int64_t mini_batch = 1;  ///< of the trainer
  Determinism determinism = Determinism::standard;
};

enum class Arena : std::uint8_t {
  weights,
  moments,
  statistics,
  gradients,
  inputs,
  results,
  activations
};
inline constexpr std::size_t arena_count = 7;
inline constexpr std::array<std::string_view, arena_count> arena_names = {
    "weights", "moments", "statistics", "gradients", "inputs", "results", "activations"};
inline constexpr std::int64_t buffer_alignment = 64;

/// Bytes of an arena, from offset on; offsets hold for the largest batch.
struct Slot {
  Arena arena = Arena::activations;
  std::int64_t offset = 0;
  std::int64_t bytes = 0;
  bool used = false;  ///< tensors no instruction touches have no place
};

struct SpecializedEntry {
  std::string name;
  std::vector<Instruction> instructions;  ///< in order of execution
  std::vector<Slot> scratch;              ///< per instruction, in the activations arena
};

struct SpecializedProgram {
  std::vector<Tensor> tensors;  ///< those of the plan (same ids), then what specialisation added
  std::vector<Slot> slots;      ///< per tensor
  std::vector<SpecializedEntry> entries;
  std::array<std::int64_t, arena_count> arena_bytes{};
  std::int64_t largest_batch = 0;  ///< local samples of a full mini-batch on this rank
  /// Tensors from here on are ranges over the places of others.
  std::size_t first_range = 0;
  /// The largest sum of bytes in the activations arena that live at one instruction.
  std::int64_t live_bytes = 0;

  SpecializedEntry const* entry(std::string_view name) const;
};

/// Local samples of `rank` among `ranks` for a mini-batch of `samples`: they differ by at most one.
std::int64_t local_samples(std::int64_t samples, std::int64_t ranks, std::int64_t rank);

/// Pure, linear in the instructions, independent of the number of ranks. Steps, one file each:
/// bind, drop_collectives, fuse (schemas/program/fuse.hpp), layout, bucket, merge_updates, order,
/// place.
Result<SpecializedProgram> specialize(Plan const& plan, Placement const& placement);

/// Arenas, tensors with their places, instructions; for people.
std::string to_text(SpecializedProgram const& program);

}  // namespace lbann
