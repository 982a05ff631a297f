// What this process is executing, for error messages of signal handlers and of other ranks.
#pragma once

#include <atomic>

namespace lbann::runtime {

/// A description of what is being executed, or null: `instruction 12 of train, matmul of `fc1`
/// (lenet.yaml:9:5)`, `callback `timer``. An exception leaves it unchanged. Signal handlers and
/// other threads read it, hence one per process.
inline std::atomic<char const*>& position() {
  static constinit std::atomic<char const*> description{nullptr};
  return description;
}
static_assert(std::atomic<char const*>::is_always_lock_free);

/// Copies the description to static memory, before its owner is destroyed.
void keep_position();

}  // namespace lbann::runtime
