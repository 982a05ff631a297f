// Where tensors lie and kernels run: the host, a GPU, or an emulation of one. One of host.cpp,
// emulated.cpp and cuda.cpp is built, so that nothing else is compiled twice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "schemas/vocabulary/result.hpp"

namespace lbann::device {

enum class Kind : std::uint8_t { host, emulated, cuda };

/// What this program was built for (`-Ddevice`).
Kind kind();

/// Whether tensors lie in memory that the host cannot read.
inline bool has_own_memory() { return kind() != Kind::host; }

/// Takes device number `process_on_node` modulo their count, before anything else here is called.
/// The problem says why there is none. Nothing to do for the host.
Result<Success> start(std::int64_t process_on_node);

/// `NVIDIA H100 80GB HBM3, 85.0 GB, CUDA 13.0, driver 13.0`; empty for the host.
std::string description();

/// Bytes of the device's memory that are free; 0 where the device has none of its own.
std::int64_t free_bytes();

/// Threads that run at the same time.
std::int64_t concurrency();

struct Release {
  void operator()(std::byte* memory) const;
};
/// Memory of the device, zeroed, aligned to 256 bytes; null if there is not enough.
using Memory = std::unique_ptr<std::byte, Release>;
Memory allocate(std::int64_t bytes);

/// Memory of the device for `bytes`, shared by all kernels, which run one after the other. Graphs
/// keep its address, so that it is never returned, only replaced by a larger one. `user` ends the
/// message where there is not enough.
std::byte* workspace(std::size_t bytes, char const* user);

struct Unpin {
  void operator()(std::byte* memory) const;
};
/// Memory of the host that the device copies from and to by itself, zeroed; null if there is not
/// enough.
using Pinned = std::unique_ptr<std::byte, Unpin>;
Pinned allocate_pinned(std::int64_t bytes);

/// Copies and launches are queued and run in the order of queueing. The host's side of a copy must
/// stay as it is until `synchronize`.
void copy_to_device(void* to, void const* from, std::size_t bytes);
void copy_to_host(void* to, void const* from, std::size_t bytes);
void copy_on_device(void* to, void const* from, std::size_t bytes);
/// Fills memory of the device with zeros.
void clear(void* memory, std::size_t bytes);

/// Waits for all that is queued.
void synchronize();
/// Whether all that is queued has run; for waits that look at other things as well.
bool is_done();

/// Copies and launches that are queued again as a whole, by one call.
class Graph {
 public:
  virtual ~Graph() = default;
  virtual void launch() = 0;
};
/// From here to `end_recording` copies and launches are recorded in place of being queued; nothing
/// may wait for the device.
void begin_recording();
std::unique_ptr<Graph> end_recording();

/// Whether libraries may round the factors of products of matrices and of convolutions in f32 to
/// TF32, which keeps 10 bits of 23 and is several times as fast; sums stay in f32. Not allowed
/// unless it was, before the first kernel was bound.
void allow_tf32(bool allowed);
bool tf32_is_allowed();

/// Called, on any thread, when the device fails: what is queued is lost, so it must not return.
/// Until it is set, the message goes to stderr and the process is aborted.
void on_failure(void (*handler)(std::string const& message));

/// Ends the process by the handler of `on_failure`.
[[noreturn]] void fail(std::string const& message);

}  // namespace lbann::device
