// Sums over the devices of several processes, queued as launches are: no process waits for them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "schemas/vocabulary/data_type.hpp"

namespace lbann::device {

/// Tells the groups of a job apart.
using GroupName = std::array<std::byte, 128>;

/// A new name, made by one process for all of a group. Nothing where devices cannot sum by
/// themselves: none are there, or no NCCL.
std::optional<GroupName> new_group();

/// The same for processes that have taken the same device, for others another; empty without one.
std::string identity();

/// A sum over the processes of a group, bound to its operands.
class GroupSum {
 public:
  virtual ~GroupSum() = default;
  /// Queues it after all that has been queued; it runs beside what is queued from here on.
  virtual void post() = 0;
  /// Nothing that is queued from here on begins before it is complete.
  virtual void await() = 0;
};

/// Processes with a device each.
class Group {
 public:
  virtual ~Group() = default;
  /// Of `parts` of all processes into `sum`, which may be the same memory; `count` elements of
  /// `type` (f32, f64, i32, i64). All processes post the same sums in the same order.
  virtual std::unique_ptr<GroupSum> sum(void const* parts, void* sum, std::int64_t count,
                                        DataType type) = 0;
};

/// Collective; returns when all `size` processes have joined, of which this is number `rank`.
std::unique_ptr<Group> join_group(GroupName const& name, std::int64_t rank, std::int64_t size);

}  // namespace lbann::device
