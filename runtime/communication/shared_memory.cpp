// An anonymous file (memfd) of rank 0, opened by the others through /proc; counters precede the
// data.
#include "runtime/communication/shared_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <random>
#include <string>

#include "runtime/communication/waiting.hpp"

namespace lbann::runtime {

namespace {

/// Size of a huge page, which may back the memory.
constexpr std::size_t shared_alignment = std::size_t{1} << 21;

/// How often a rank has published; a cache line each, against false sharing.
struct alignas(64) Counter {
  std::atomic<std::uint64_t> times;
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

/// Identifies rank 0's file to the other ranks; broadcast as bytes.
struct SharedFile {
  std::int64_t process = 0;
  std::int64_t descriptor = -1;
  std::uint64_t token = 0;  ///< in the first counter until all ranks have checked it
};

class Mapping final : public SharedMemory {
 public:
  Mapping(std::byte* begin, std::size_t length, std::size_t offset, std::size_t rank,
          std::size_t ranks)
      : begin_(begin),
        length_(length),
        offset_(offset),
        own_(&counters()[rank].times),
        ranks_(ranks) {}
  ~Mapping() override { ::munmap(begin_, length_); }
  Mapping(Mapping const&) = delete;

  std::byte* data() const override { return begin_ + offset_; }

  std::uint64_t publish(std::int64_t) override {
    auto const times = own_->load(std::memory_order_relaxed) + 1;
    own_->store(times, std::memory_order_release);
    return times;
  }

  bool reached(std::uint64_t times) const override {
    for (std::size_t i = 0; i < ranks_; ++i)
      if (counters()[i].times.load(std::memory_order_acquire) < times) return false;
    return true;
  }

  void await(std::uint64_t times) const override {
    wait_until([&] { return reached(times); });
  }

 private:
  Counter* counters() const { return reinterpret_cast<Counter*>(begin_); }

  std::byte* begin_;
  std::size_t length_, offset_;
  std::atomic<std::uint64_t>* own_;
  std::size_t ranks_;
};

/// Maps the whole file `descriptor`; null where that fails.
std::byte* map_file(int descriptor, std::size_t length) {
  if (descriptor < 0) return nullptr;
  void* const begin = ::mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (begin == MAP_FAILED) return nullptr;
  ::madvise(begin, length, MADV_HUGEPAGE);  // a hint; fails where there are no huge pages
  return static_cast<std::byte*>(begin);
}

bool succeeded_on_all(Communicator& ranks, bool mine) {
  std::int64_t failed = mine ? 0 : 1;
  ranks.all_reduce(&failed, 1, DataType::i64);
  return failed == 0;
}

}  // namespace

std::unique_ptr<SharedMemory> map_shared(Communicator& ranks, std::int64_t bytes) {
  auto const many = static_cast<std::size_t>(ranks.size());
  auto const offset =
      (many * sizeof(Counter) + shared_alignment - 1) / shared_alignment * shared_alignment;
  auto const length = offset + static_cast<std::size_t>(bytes);
  bool const first = ranks.rank() == 0;

  SharedFile file;
  int descriptor = -1;
  std::byte* begin = nullptr;
  if (first) {
    descriptor = ::memfd_create("lbann", MFD_CLOEXEC);
    if (descriptor >= 0 && ::ftruncate(descriptor, static_cast<off_t>(length)) == 0)
      begin = map_file(descriptor, length);
    file = {::getpid(), descriptor, std::uint64_t{std::random_device()()} + 1};
    if (begin != nullptr) reinterpret_cast<Counter*>(begin)->times = file.token;
  }
  ranks.broadcast(std::as_writable_bytes(std::span(&file, 1)), 0);
  if (!first && file.descriptor >= 0) {
    // In another PID namespace this path may name another file: the token tells.
    auto const path =
        "/proc/" + std::to_string(file.process) + "/fd/" + std::to_string(file.descriptor);
    descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    off_t const found = descriptor < 0 ? 0 : ::lseek(descriptor, 0, SEEK_END);
    if (found == static_cast<off_t>(length)) begin = map_file(descriptor, length);
    if (begin != nullptr && reinterpret_cast<Counter*>(begin)->times != file.token) {
      ::munmap(begin, length);
      begin = nullptr;
    }
  }
  bool const mapped = succeeded_on_all(ranks, begin != nullptr);
  if (descriptor >= 0) ::close(descriptor);
  if (!mapped) {
    if (begin != nullptr) ::munmap(begin, length);
    return nullptr;
  }
  if (first) reinterpret_cast<Counter*>(begin)->times = 0;
  ranks.barrier();
  return std::make_unique<Mapping>(begin, length, offset, static_cast<std::size_t>(ranks.rank()),
                                   many);
}

}  // namespace lbann::runtime
