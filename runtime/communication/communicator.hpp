// How the ranks of a run reach one another.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "schemas/vocabulary/data_type.hpp"
#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

/// One rank's end. Every rank makes the same calls in the same order.
class Communicator {
 public:
  virtual ~Communicator() = default;
  virtual std::int64_t rank() const = 0;
  virtual std::int64_t size() const = 0;
  /// Replaces `data`, `count` elements of `type`, by the sum over all ranks, the same bits on each.
  virtual Result<Success> all_reduce(void* data, std::int64_t count, DataType type) = 0;
  /// Replaces `bytes` by those of rank `root`.
  virtual Result<Success> broadcast(std::span<std::byte> bytes, std::int64_t root) = 0;
  virtual Result<Success> barrier() = 0;
};

/// A world of one process.
std::unique_ptr<Communicator> single_process();

/// Number of processes a launcher started this one among, as its environment tells; 1 without a
/// launcher. `name` looks a variable up (std::getenv).
std::int64_t launched_processes(char const* (*name)(char const*));

/// Why a run of this many processes is refused, or nothing.
std::string refusal_of(std::int64_t processes);

}  // namespace lbann::runtime
