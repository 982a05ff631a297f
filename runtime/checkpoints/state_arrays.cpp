// State tensors, and ranges of bytes across them.
#include "runtime/checkpoints/state_arrays.hpp"

#include <algorithm>
#include <cstring>

#include "runtime/execution/box_rows.hpp"
#include "runtime/execution/whole_tensor.hpp"

namespace lbann::runtime {

namespace {

/// Calls `visit(memory, offset)` for each run of bytes of an array that this rank holds and that
/// lies in [begin, begin + count): the run, and where it begins in that range.
template <class Visit>
void each_part(std::span<StateArray const> arrays, std::int64_t begin, std::int64_t count,
               Visit visit) {
  auto const end = begin + count;
  // A run of an array's memory from `at` on, which begins at byte `place` of the checkpoint.
  auto const visit_run = [&](std::span<std::byte> memory, std::int64_t place) {
    auto const first = std::max(begin, place);
    auto const last = std::min(end, place + static_cast<std::int64_t>(memory.size()));
    if (first < last)
      visit(memory.subspan(static_cast<std::size_t>(first - place),
                           static_cast<std::size_t>(last - first)),
            static_cast<std::size_t>(first - begin));
  };
  auto array = std::ranges::upper_bound(arrays, begin, {}, &StateArray::end);
  for (; array != arrays.end() && array->begin < end; ++array) {
    if (!array->split_as.valid()) {
      visit_run(array->memory, array->begin);
      continue;
    }
    BoxRows const rows(array->box, array->dims, static_cast<std::int64_t>(bytes_of(array->type)));
    for (std::int64_t row = 0; row < rows.count(); ++row)
      visit_run(array->memory.subspan(static_cast<std::size_t>(row * rows.length()),
                                      static_cast<std::size_t>(rows.length())),
                array->begin + rows.begin(row));
  }
}

}  // namespace

std::int64_t StateArray::bytes() const {
  if (!split_as.valid()) return static_cast<std::int64_t>(memory.size());
  auto bytes = static_cast<std::int64_t>(bytes_of(type));
  for (auto const extent : dims) bytes *= extent;
  return bytes;
}

StateArray state_array(std::string name, Executor const& executor, TensorId tensor,
                       std::span<std::byte> memory) {
  auto const part = part_of(executor, tensor);
  StateArray array{std::move(name), part.type, part.extents, 0, memory, {}, part.box};
  if (executor.program().is_split(tensor)) array.split_as = tensor;
  return array;
}

std::vector<StateArray> state_arrays(Plan const& plan, Executor const& executor) {
  std::vector<StateArray> arrays;
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < plan.program.tensors.size(); ++i) {
    auto const& tensor = plan.program.tensors[i];
    if (!is_state(tensor.role)) continue;
    auto const view = executor.read(TensorId(i), 0);
    if (view.data == nullptr) continue;
    arrays.push_back(
        state_array(tensor.name, executor, TensorId(i), {view.as<std::byte>(), view.bytes()}));
    arrays.back().begin = begin;
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
  for (auto const& array : arrays)
    if (!array.split_as.valid())
      each_part({&array, 1}, begin, static_cast<std::int64_t>(to.size()),
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
