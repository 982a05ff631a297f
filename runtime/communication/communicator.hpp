// Communication between the ranks of a run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "schemas/vocabulary/data_type.hpp"

namespace lbann::runtime {

/// A non-blocking collective, a sum for example; bound to its operands, posted once per step.
class Transfer {
 public:
  virtual ~Transfer() = default;
  /// Starts it. Its operands must not be touched until it is complete.
  virtual void post() = 0;
  /// Makes progress without blocking (as MPI_Test); whether it is complete.
  virtual bool arrived() = 0;
  /// Waits until it is complete.
  virtual void await() = 0;
  /// Whether it is queued on the device, where `await` makes what follows wait, not the host.
  virtual bool is_queued() const { return false; }
};

/// Messages from rank to rank, which are posted one by one and complete together. Those from one
/// rank to another arrive in the order in which both have posted them. Memory that is sent or
/// received must not be touched until all have arrived.
class Messages {
 public:
  virtual ~Messages() = default;
  virtual void send(std::int64_t to, std::span<std::byte const> bytes) = 0;
  virtual void receive(std::int64_t from, std::span<std::byte> bytes) = 0;
  /// Makes progress without blocking; whether all that were posted are complete.
  virtual bool arrived() = 0;
};

/// Memory shared by all ranks of a communicator. Counters order the accesses: a rank publishes what
/// it has written, the others wait for that before they read.
class SharedMemory {
 public:
  virtual ~SharedMemory() = default;
  /// Initially zero.
  virtual std::byte* data() const = 0;
  /// Publishes this rank's reads and writes so far (release), of which `bytes` were written for
  /// others (`nothing`: only a barrier); returns how often it has published.
  virtual std::uint64_t publish(std::int64_t bytes) = 0;
  static constexpr std::int64_t nothing = -1;
  /// Whether every rank has published `times` times (acquire).
  virtual bool reached(std::uint64_t times) const = 0;
  /// Waits until `reached(times)`.
  virtual void await(std::uint64_t times) const = 0;
};

/// One rank's view of a group of ranks, all of which make the same calls in the same order. A
/// failure ends the whole job with one message, as the other ranks may be blocked.
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
  /// The bytes of every rank, in rank order, on rank 0; nothing on the others.
  virtual std::vector<std::vector<std::byte>> gather(std::span<std::byte const> bytes) = 0;
  virtual void barrier() = 0;
  /// A non-blocking all-reduce of `parts` into `sum`, which may be the same memory; `count`
  /// elements of `type`.
  virtual std::unique_ptr<Transfer> sum(void const* parts, void* sum, std::int64_t count,
                                        DataType type) = 0;
  /// For messages of which at most `most` are posted at a time.
  virtual std::unique_ptr<Messages> messages(std::int64_t most) = 0;
  /// The ranks with the same `group`, in rank order.
  virtual std::unique_ptr<Communicator> split(std::int64_t group) = 0;
  /// The ranks on this rank's node.
  virtual std::unique_ptr<Communicator> on_this_node() = 0;
  /// Whether all ranks run on one node, as `share` requires.
  virtual bool on_one_node() = 0;
  /// Shared memory of `bytes` bytes, visible to all ranks; null on all ranks where it cannot be
  /// mapped.
  virtual std::unique_ptr<SharedMemory> share(std::int64_t bytes) = 0;
};

/// A communicator of one process: sums are copies.
std::unique_ptr<Communicator> single_process();

}  // namespace lbann::runtime
