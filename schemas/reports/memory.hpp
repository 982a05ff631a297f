// What one rank holds in memory, from its specialised program.
#pragma once

#include "schemas/specialization/specialize.hpp"

namespace lbann {

/// What a byte of the arenas is for.
enum class MemoryClass : std::uint8_t {
  weights,
  gradients,
  state,        ///< moments of optimizers; running statistics, sums of metrics, rates, counters
  data,         ///< fields of the mini-batch and what the host reads after a step
  activations,  ///< values of one step
  scratch,      ///< where no activation ever lies: room for kernels, by their declared bounds
  messages,     ///< sums over ranks that are no gradients, status words, gathered factors
  padding,      ///< alignment; holds nothing
};
inline constexpr std::size_t memory_class_count = 8;
inline constexpr std::array<std::string_view, memory_class_count> memory_class_names = {
    "weights", "gradients", "state", "data", "activations", "scratch", "messages", "padding"};

struct MemoryReport {
  /// Every byte of all arenas counted once.
  std::array<std::int64_t, memory_class_count> bytes{};
  std::int64_t total = 0;   ///< of all arenas: what the rank allocates
  std::int64_t shared = 0;  ///< of it, what all ranks of a trainer see and the node holds once
  std::int64_t placed = 0;  ///< of the arena that activations and scratch share
  std::int64_t checkpoint_copy =
      0;                  ///< copy of state that the rank makes for a checkpoint, beside all
  std::int64_t live = 0;  ///< the largest sum of bytes in it that live at once: no fewer suffice

  /// `placed` by `live`; 1 where nothing lives.
  double ratio() const;
};

MemoryReport report_memory(SpecializedProgram const& program);

}  // namespace lbann
