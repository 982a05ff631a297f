// The state of a run as named arrays in memory: what a checkpoint holds.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "runtime/execution/executor.hpp"

namespace lbann::runtime {

/// One state tensor. A checkpoint concatenates the bytes of all, in this order.
struct StateArray {
  std::string name;
  DataType type = DataType::f32;
  std::vector<std::int64_t> dims;
  std::int64_t begin = 0;       ///< of its bytes in the checkpoint
  std::span<std::byte> memory;  ///< what this rank holds: all of it, or a part
  TensorId split_as = {};       ///< the tensor that is distributed as it is; none: it is whole
  Box box = {};                 ///< of the part

  std::int64_t bytes() const;  ///< of all of it
  std::int64_t end() const { return begin + bytes(); }
};

/// The array of `memory`, distributed as `tensor` is.
StateArray state_array(std::string name, Executor const& executor, TensorId tensor,
                       std::span<std::byte> memory);

/// All state tensors of the plan that have memory, as they are now: weights, moments, statistics.
std::vector<StateArray> state_arrays(Plan const& plan, Executor const& executor);

/// Lets what was written to the memory of `state_arrays` take effect.
void put_state(Plan const& plan, Executor const& executor);

/// Bytes of all arrays together.
std::int64_t state_bytes(std::span<StateArray const> arrays);

/// Copies the bytes from `begin` on, as many as `to` holds, from the arrays that they lie in; those
/// of arrays of which this rank holds a part are left out.
void read_state(std::span<StateArray const> arrays, std::int64_t begin, std::span<std::byte> to);

/// Copies `from` to the bytes from `begin` on, as far as this rank holds them.
void write_state(std::span<StateArray const> arrays, std::int64_t begin,
                 std::span<std::byte const> from);

}  // namespace lbann::runtime
