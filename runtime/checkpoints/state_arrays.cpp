// State tensors, and ranges of bytes across them.
#include "runtime/checkpoints/state_arrays.hpp"

#include <algorithm>
#include <cstring>

namespace lbann::runtime {

namespace {

/// Calls `visit(memory, offset)` for the part of every array that lies in [begin, begin + count):
/// its bytes, and where they begin in that range.
template <class Visit>
void each_part(std::span<StateArray const> arrays, std::int64_t begin, std::int64_t count,
               Visit visit) {
  auto const end = begin + count;
  auto array = std::ranges::upper_bound(arrays, begin, {}, &StateArray::end);
  for (; array != arrays.end() && array->begin < end; ++array) {
    auto const first = std::max(begin, array->begin), last = std::min(end, array->end());
    if (first < last)
      visit(array->memory.subspan(static_cast<std::size_t>(first - array->begin),
                                  static_cast<std::size_t>(last - first)),
            static_cast<std::size_t>(first - begin));
  }
}

}  // namespace

std::vector<StateArray> state_arrays(Plan const& plan, Executor const& executor) {
  std::vector<StateArray> arrays;
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < plan.program.tensors.size(); ++i) {
    auto const& tensor = plan.program.tensors[i];
    if (!is_state(tensor.role)) continue;
    auto const view = executor.read(TensorId(static_cast<std::uint32_t>(i)), 0);
    if (view.data == nullptr) continue;
    auto const bytes = static_cast<std::size_t>(view.elements()) * bytes_of(view.type);
    arrays.push_back({tensor.name,
                      view.type,
                      {view.extents.begin(), view.extents.begin() + view.rank},
                      begin,
                      {view.as<std::byte>(), bytes}});
    begin = arrays.back().end();
  }
  return arrays;
}

void put_state(Plan const& plan, Executor const& executor) {
  for (std::size_t i = 0; i < plan.program.tensors.size(); ++i)
    if (is_state(plan.program.tensors[i].role)) executor.put(TensorId(i));
}

std::int64_t state_bytes(std::span<StateArray const> arrays) {
  return arrays.empty() ? 0 : arrays.back().end();
}

void read_state(std::span<StateArray const> arrays, std::int64_t begin, std::span<std::byte> to) {
  each_part(arrays, begin, static_cast<std::int64_t>(to.size()),
            [&](std::span<std::byte> memory, std::size_t offset) {
              std::memcpy(to.data() + offset, memory.data(), memory.size());
            });
}

void write_state(std::span<StateArray const> arrays, std::int64_t begin,
                 std::span<std::byte const> from) {
  each_part(arrays, begin, static_cast<std::int64_t>(from.size()),
            [&](std::span<std::byte> memory, std::size_t offset) {
              std::memcpy(memory.data(), from.data() + offset, memory.size());
            });
}

}  // namespace lbann::runtime
