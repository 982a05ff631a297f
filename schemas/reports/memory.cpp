// Counts bytes covered by tensors, class by class; tensors that share bytes count once.
#include "schemas/reports/memory.hpp"

#include <algorithm>

#include "schemas/reports/checkpoint_chunks.hpp"

namespace lbann {

namespace {

struct Interval {
  std::int64_t begin, end;
};

/// Bytes covered by at least one of `intervals`.
std::int64_t covered(std::vector<Interval> intervals) {
  std::ranges::sort(intervals, {}, &Interval::begin);
  std::int64_t sum = 0, end = 0;
  for (auto const& interval : intervals) {
    sum += std::max<std::int64_t>(0, interval.end - std::max(end, interval.begin));
    end = std::max(end, interval.end);
  }
  return sum;
}

MemoryClass class_of(Arena arena, TensorRole role) {
  switch (arena) {
    case Arena::shared:
      if (role == TensorRole::gradient) return MemoryClass::gradients;
      return role == TensorRole::weights ? MemoryClass::weights : MemoryClass::state;
    case Arena::weights:
      return MemoryClass::weights;
    case Arena::gradients:
      return MemoryClass::gradients;
    case Arena::moments:
    case Arena::statistics:
      return MemoryClass::state;
    case Arena::inputs:
    case Arena::results:
      return MemoryClass::data;
    case Arena::scalars:
      return role == TensorRole::statistic ? MemoryClass::state : MemoryClass::data;
    case Arena::messages:
      return MemoryClass::messages;
    case Arena::activations:
      break;
  }
  return MemoryClass::activations;
}

}  // namespace

double MemoryReport::ratio() const {
  return live == 0 ? 1 : static_cast<double>(placed) / static_cast<double>(live);
}

MemoryReport report_memory(SpecializedProgram const& program) {
  MemoryReport report;
  auto const bytes_of = [&](MemoryClass kind) -> std::int64_t& {
    return report.bytes[static_cast<std::size_t>(kind)];
  };
  using Intervals = std::vector<Interval>;
  std::array<std::array<Intervals, memory_class_count>, arena_count> tensors;
  auto const add = [&](Slot const& slot, MemoryClass kind) {
    if (slot.used && slot.bytes > 0)
      tensors[static_cast<std::size_t>(slot.arena)][static_cast<std::size_t>(kind)].push_back(
          {slot.offset, slot.offset + slot.bytes});
  };
  for (std::size_t i = 0; i < program.first_range; ++i)
    add(program.slots[i], class_of(program.slots[i].arena, program.tensors[i].role));
  for (auto const& entry : program.entries)
    for (auto const& factors : entry.broadcasts) {
      add(factors.a, MemoryClass::messages);
      add(factors.b, MemoryClass::messages);
    }
  for (std::size_t arena = 0; arena < arena_count; ++arena) {
    for (std::size_t kind = 0; kind < memory_class_count; ++kind)
      report.bytes[kind] += covered(tensors[arena][kind]);
    report.total += program.arena_bytes[arena];
  }
  // Gradients of other ranks are theirs.
  report.total -= (program.ranks - 1) * program.gradient_block;
  auto const shared = static_cast<std::size_t>(Arena::activations);
  auto& in_activations = tensors[shared][static_cast<std::size_t>(MemoryClass::activations)];
  for (auto const& entry : program.entries)
    for (auto const& scratch : entry.scratch)
      if (scratch.used && scratch.bytes > 0)
        in_activations.push_back({scratch.offset, scratch.offset + scratch.bytes});
  bytes_of(MemoryClass::scratch) = covered(in_activations) - bytes_of(MemoryClass::activations);
  auto padding = report.total;
  for (auto bytes : report.bytes) padding -= bytes;
  bytes_of(MemoryClass::padding) = padding;
  report.shared = program.shared_bytes() - program.gradient_block;
  report.placed = program.arena_bytes[shared];
  report.live = program.live_bytes;
  // Chunks are cut from whole tensors, whatever part of them the rank holds.
  std::int64_t state = 0;
  for (std::size_t i = 0; i < program.first_range; ++i)
    if (is_state(program.tensors[i].role) && program.slots[i].used)
      state +=
          operators::rules::bytes_of({program.tensors[i].type.type, program.whole_shapes[i]}, 0);
  report.checkpoint_copy = bytes_of_chunks(state, program.rank, program.ranks);
  return report;
}

}  // namespace lbann
