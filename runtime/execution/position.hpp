// Where this process is, for whoever has to explain its end: signal handlers, other ranks.
#pragma once

#include <atomic>

namespace lbann::runtime {

/// Words for what is being executed, or null: `instruction 12 of train, matmul of `fc1`
/// (lenet.yaml:9:5)`, `callback `timer``. An exception leaves it as it was. Readable from signal
/// handlers and other threads, so it is the process's own and nobody's member.
inline std::atomic<char const*>& position() {
  static constinit std::atomic<char const*> words{nullptr};
  return words;
}
static_assert(std::atomic<char const*>::is_always_lock_free);

/// Copies the words to memory of the process, before those they lie in go.
void keep_position();

}  // namespace lbann::runtime
