// How the ranks of a run reach one another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "schemas/vocabulary/data_type.hpp"

namespace lbann::runtime {

/// What travels between ranks while they compute, a sum for example; bound to its operands, posted
/// once per step.
class Transfer {
 public:
  virtual ~Transfer() = default;
  /// Starts it. Until it has arrived nobody touches its operands.
  virtual void post() = 0;
  /// Lets it go on without waiting; whether it has arrived.
  virtual bool arrived() = 0;
  /// Waits until it has arrived.
  virtual void await() = 0;
};

/// Memory that all ranks of a communicator see. They write to it by turns, in an order that all of
/// them know: a rank publishes what it has written, others wait for that.
class SharedMemory {
 public:
  virtual ~SharedMemory() = default;
  /// Zeros at first.
  virtual std::byte* data() const = 0;
  /// Says that all this rank has written and read so far is done, `bytes` of it written for others
  /// (`nothing` where ranks only meet); the number of times it has said so.
  virtual std::uint64_t publish(std::int64_t bytes) = 0;
  static constexpr std::int64_t nothing = -1;
  /// Whether every rank has published so often.
  virtual bool reached(std::uint64_t times) const = 0;
  /// Waits for that.
  virtual void await(std::uint64_t times) const = 0;
};

/// One rank's end. Every rank makes the same calls in the same order. What fails here ends the
/// whole job with one message: no rank could tell the others.
class Communicator {
 public:
  virtual ~Communicator() = default;
  virtual std::int64_t rank() const = 0;
  virtual std::int64_t size() const = 0;
  /// Replaces `data`, `count` elements of `type` (f32, f64, i32, i64), by the sum over all ranks,
  /// the same bits on each.
  virtual void all_reduce(void* data, std::int64_t count, DataType type) = 0;
  /// Replaces `bytes` by those of rank `root`.
  virtual void broadcast(std::span<std::byte> bytes, std::int64_t root) = 0;
  /// On rank 0 the bytes of every rank, in their order; elsewhere nothing.
  virtual std::vector<std::vector<std::byte>> gather(std::span<std::byte const> bytes) = 0;
  virtual void barrier() = 0;
  /// The sum of `parts` to `sum`, which may be the same memory; `count` elements of `type`.
  virtual std::unique_ptr<Transfer> sum(void const* parts, void* sum, std::int64_t count,
                                        DataType type) = 0;
  /// Ranks that name the same `group`, in their order.
  virtual std::unique_ptr<Communicator> split(std::int64_t group) = 0;
  /// The ranks of this rank's node.
  virtual std::unique_ptr<Communicator> on_this_node() = 0;
  /// Whether all ranks run on one node, so that they may be able to share memory.
  virtual bool on_one_node() = 0;
  /// So many bytes that all ranks see; null on all of them where that is impossible.
  virtual std::unique_ptr<SharedMemory> share(std::int64_t bytes) = 0;
};

/// A world of one process: every sum is already complete.
std::unique_ptr<Communicator> single_process();

}  // namespace lbann::runtime
