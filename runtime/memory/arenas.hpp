// The memory of a run, allocated once.
#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include "kernels/device/device.hpp"
#include "schemas/specialization/specialize.hpp"
#include "schemas/vocabulary/bytes_text.hpp"

namespace lbann::runtime {

/// One mapping per arena, zeroed, aligned to huge pages where it is large, first touched by the
/// threads that will work on it. A device with memory of its own holds them there, and each has an
/// image on the host: address space, of which pages that are used take memory.
class Arenas {
 public:
  /// The problem names the bytes requested. `shared`: memory of that arena, not owned; null if
  /// there is none.
  static Result<Arenas> allocate(std::array<std::int64_t, arena_count> const& bytes,
                                 std::byte* shared = nullptr);

  /// Bytes that this machine has, or that are free on its device.
  static std::int64_t available();

  /// Address of a slot for kernels; null for one that is not used. Aligned to `buffer_alignment`.
  std::byte* at(Slot const& slot) const { return in(begin_, slot); }
  /// Where the host finds it: the same address, or in the image.
  std::byte* on_host(Slot const& slot) const { return in(host_, slot); }
  /// The arena for kernels, and on the host; null for an empty one.
  std::byte* at(Arena arena) const { return begin_[static_cast<std::size_t>(arena)]; }
  std::byte* on_host(Arena arena) const { return host_[static_cast<std::size_t>(arena)]; }
  std::int64_t bytes(Arena arena) const { return bytes_[static_cast<std::size_t>(arena)]; }
  std::int64_t total_bytes() const;

 private:
  struct Unmap {
    std::size_t length;
    void operator()(std::byte* mapping) const;
  };

  using Begins = std::array<std::byte*, arena_count>;

  static std::byte* in(Begins const& begins, Slot const& slot);
  bool allocate_on_host(std::size_t arena, bool is_image);
  bool allocate_on_device(std::size_t arena);

  std::array<std::unique_ptr<std::byte, Unmap>, arena_count> mappings_;
  std::array<device::Memory, arena_count> device_memory_;
  device::Pinned scalars_;  ///< their image, which is copied in each step
  Begins begin_{}, host_{};
  std::array<std::int64_t, arena_count> bytes_{};
};

/// Largest resident memory this process has had so far, in bytes; 0 if it is unknown.
std::int64_t peak_resident_bytes();

}  // namespace lbann::runtime
