// Counts bytes covered by tensors, class by class; tensors that share bytes count once.
#include "schemas/reports/memory.hpp"

#include <algorithm>

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

MemoryClass class_of(Arena arena) {
  switch (arena) {
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
  std::array<std::vector<Interval>, arena_count> tensors;
  auto const add = [&](Slot const& slot) {
    if (slot.used && slot.bytes > 0)
      tensors[static_cast<std::size_t>(slot.arena)].push_back(
          {slot.offset, slot.offset + slot.bytes});
  };
  for (std::size_t i = 0; i < program.first_range; ++i) add(program.slots[i]);
  for (std::size_t arena = 0; arena < arena_count; ++arena) {
    bytes_of(class_of(static_cast<Arena>(arena))) += covered(tensors[arena]);
    report.total += program.arena_bytes[arena];
  }
  for (auto const& entry : program.entries) std::ranges::for_each(entry.scratch, add);
  auto const shared = static_cast<std::size_t>(Arena::activations);
  bytes_of(MemoryClass::scratch) =
      covered(tensors[shared]) - bytes_of(MemoryClass::activations);
  auto padding = report.total;
  for (auto bytes : report.bytes) padding -= bytes;
  bytes_of(MemoryClass::padding) = padding;
  report.placed = program.arena_bytes[shared];
  report.live = program.live_bytes;
  return report;
}

}  // namespace lbann
