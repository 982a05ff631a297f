// The memory of a rank several times over, each copy on other garbage: what is equal in all of them
// holds a value, what is not was never written or hangs on what was there before.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "schemas/specialization/specialize.hpp"

namespace lbann::testing {

class Replicas {
 public:
  /// With garbage 0x5A, ...: four bytes that differ from one another, or one copy filled with
  /// zeros.
  enum class Filling : std::uint8_t { garbage, zeros };
  Replicas(SpecializedProgram const& program, Filling filling);

  std::size_t count() const { return copies_.size(); }
  std::byte* at(std::size_t copy, Slot const& slot) const;
  /// Whole pages.
  std::span<std::byte> memory(std::size_t copy, Arena arena) const;

  /// Bytes of a slot, or of a whole arena, where all copies are equal, one flag each.
  std::vector<std::uint8_t> settled(Slot const& slot) const;
  std::vector<std::uint8_t> settled(Arena arena) const;

 private:
  struct Free {
    void operator()(std::byte* memory) const;
  };
  using Copy = std::array<std::unique_ptr<std::byte, Free>, arena_count>;

  std::array<std::int64_t, arena_count> bytes_;
  std::vector<Copy> copies_;
};

}  // namespace lbann::testing
