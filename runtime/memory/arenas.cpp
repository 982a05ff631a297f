// Anonymous mappings, which are zeroed and unmapped as a whole, without an allocator.
#include "runtime/memory/arenas.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <numeric>

#include "kernels/thread_team.hpp"

namespace lbann::runtime {

namespace {

constexpr std::size_t huge_page = std::size_t{1} << 21;

/// First touch: each thread writes to its share of the pages, which places them on its NUMA node.
void touch(std::byte* begin, std::size_t bytes) {
  auto const page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  auto const pages = static_cast<std::int64_t>((bytes + page - 1) / page);
  auto const threads = kernels::ThreadTeam::size();
  kernels::ThreadTeam::for_each_part(threads, [&](std::int64_t part) {
    for (auto i = pages * part / threads; i < pages * (part + 1) / threads; ++i)
      *static_cast<std::byte volatile*>(begin + static_cast<std::size_t>(i) * page) = std::byte{0};
  });
}

}  // namespace

void Arenas::Unmap::operator()(std::byte* mapping) const { ::munmap(mapping, length); }

std::int64_t Arenas::available() {
  if (device::has_own_memory()) return static_cast<std::int64_t>(device::free_bytes());
  return std::int64_t{::sysconf(_SC_PHYS_PAGES)} * ::sysconf(_SC_PAGESIZE);
}

Result<Arenas> Arenas::allocate(std::array<std::int64_t, arena_count> const& bytes,
                                std::byte* shared) {
  auto const wanted = std::accumulate(bytes.begin(), bytes.end(), 0.0);
  bool const own_memory = device::has_own_memory();
  auto const present = static_cast<double>(available());
  auto const refused = [&] {
    return Problem{"the run needs " + bytes_text(static_cast<std::int64_t>(wanted)) +
                   " of memory (" + std::to_string(static_cast<std::int64_t>(wanted)) +
                   " bytes), this " + (own_memory ? "device has " : "machine has ") +
                   bytes_text(static_cast<std::int64_t>(present)) + (own_memory ? " free" : "")};
  };
  if (wanted > present) return refused();

  Arenas arenas;
  arenas.bytes_ = bytes;
  for (std::size_t i = 0; i < arena_count; ++i) {
    if (bytes[i] == 0) continue;
    if (static_cast<Arena>(i) == Arena::shared && shared != nullptr) {
      arenas.begin_[i] = arenas.host_[i] = shared;
      continue;
    }
    if (!arenas.allocate_on_host(i, own_memory)) return refused();
    arenas.begin_[i] = arenas.host_[i];
    if (own_memory && !arenas.allocate_on_device(i)) return refused();
  }
  return arenas;
}

bool Arenas::allocate_on_device(std::size_t arena) {
  device_memory_[arena] = device::allocate(bytes_[arena]);
  begin_[arena] = device_memory_[arena].get();
  return begin_[arena] != nullptr;
}

bool Arenas::allocate_on_host(std::size_t arena, bool is_image) {
  if (is_image && static_cast<Arena>(arena) == Arena::scalars) {
    scalars_ = device::allocate_pinned(bytes_[arena]);
    host_[arena] = scalars_.get();
    return scalars_ != nullptr;
  }
  auto const size = static_cast<std::size_t>(bytes_[arena]);
  bool const large = size >= 2 * huge_page;
  auto const length = large ? size + huge_page : size;
  int const flags = MAP_PRIVATE | MAP_ANONYMOUS | (is_image ? MAP_NORESERVE : 0);
  void* const mapping = ::mmap(nullptr, length, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (mapping == MAP_FAILED) return false;
  auto* begin = static_cast<std::byte*>(mapping);
  mappings_[arena] = {begin, Unmap{length}};
  if (large) {
    auto const address = reinterpret_cast<std::uintptr_t>(begin);
    begin += (huge_page - address % huge_page) % huge_page;
    ::madvise(begin, size, MADV_HUGEPAGE);  // a hint; fails where there are no huge pages
  }
  if (!is_image) touch(begin, size);
  host_[arena] = begin;
  return true;
}

std::byte* Arenas::in(Begins const& begins, Slot const& slot) {
  if (!slot.used) return nullptr;
  auto* const begin = begins[static_cast<std::size_t>(slot.arena)];
  return begin == nullptr ? nullptr : begin + slot.offset;
}

std::int64_t Arenas::total_bytes() const {
  return std::accumulate(bytes_.begin(), bytes_.end(), std::int64_t{0});
}

std::int64_t peak_resident_bytes() {
  // Not getrusage: its maximum survives exec, so it may be that of the launching process.
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> const status(std::fopen("/proc/self/status", "r"),
                                                               &std::fclose);
  char line[256];
  long long kibibytes = 0;
  while (status != nullptr && std::fgets(line, sizeof line, status.get()) != nullptr)
    if (std::sscanf(line, "VmHWM: %lld kB", &kibibytes) == 1) return kibibytes * 1024;
  return 0;
}

}  // namespace lbann::runtime
