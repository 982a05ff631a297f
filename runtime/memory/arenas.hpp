// The memory of a run, allocated once.
#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include "schemas/specialization/specialize.hpp"

namespace lbann::runtime {

/// One mapping per arena, zeroed, aligned to huge pages where it is large, first touched by the
/// threads that will work on it.
class Arenas {
 public:
  /// The problem names the bytes requested. `shared`: memory of that arena, not owned; null if
  /// there is none.
  static Result<Arenas> allocate(std::array<std::int64_t, arena_count> const& bytes,
                                 std::byte* shared = nullptr);

  /// Address of a slot; null for one that is not used. Aligned to `buffer_alignment`.
  std::byte* at(Slot const& slot) const;
  std::int64_t bytes(Arena arena) const { return bytes_[static_cast<std::size_t>(arena)]; }
  std::int64_t total_bytes() const;

 private:
  struct Unmap {
    std::size_t length;
    void operator()(std::byte* mapping) const;
  };

  std::array<std::unique_ptr<std::byte, Unmap>, arena_count> mappings_;
  std::array<std::byte*, arena_count> begin_{};
  std::array<std::int64_t, arena_count> bytes_{};
};

/// Largest resident memory this process has had so far, in bytes; 0 if it is unknown.
std::int64_t peak_resident_bytes();

/// `12.3 MB`, in powers of ten.
std::string bytes_text(std::int64_t bytes);

}  // namespace lbann::runtime
