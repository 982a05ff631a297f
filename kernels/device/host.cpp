// No device: tensors lie in the host's memory, kernels run when they are called.
#include <cstdlib>
#include <cstring>

#include "kernels/device/aligned.hpp"
#include "kernels/device/device.hpp"

namespace lbann::device {

Kind kind() { return Kind::host; }
Result<Success> start(std::int64_t) { return Success{}; }
std::string description() { return {}; }
std::int64_t free_bytes() { return 0; }
std::int64_t concurrency() { return 1; }

void Release::operator()(std::byte* memory) const { std::free(memory); }
Memory allocate(std::int64_t bytes) { return Memory(allocate_aligned(bytes)); }
void Unpin::operator()(std::byte* memory) const { std::free(memory); }
Pinned allocate_pinned(std::int64_t bytes) { return Pinned(allocate_aligned(bytes)); }

namespace {
void copy(void* to, void const* from, std::size_t bytes) {
  if (bytes > 0) std::memcpy(to, from, bytes);
}
}  // namespace

void copy_to_device(void* to, void const* from, std::size_t bytes) { copy(to, from, bytes); }
void copy_to_host(void* to, void const* from, std::size_t bytes) { copy(to, from, bytes); }
void copy_on_device(void* to, void const* from, std::size_t bytes) { copy(to, from, bytes); }
void clear(void* memory, std::size_t bytes) {
  if (bytes > 0) std::memset(memory, 0, bytes);
}
void synchronize() {}
bool is_done() { return true; }

void begin_recording() {}
std::unique_ptr<Graph> end_recording() { return nullptr; }

}  // namespace lbann::device
