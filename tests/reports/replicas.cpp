// Arenas filled with patterns, and their comparison.
#include "tests/reports/replicas.hpp"

#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace lbann::testing {

namespace {

constexpr std::size_t page = 4096;

/// At least one.
std::size_t whole_pages(std::int64_t bytes) {
  return (static_cast<std::size_t>(bytes) / page + 1) * page;
}

}  // namespace

void Replicas::Free::operator()(std::byte* memory) const { std::free(memory); }

Replicas::Replicas(SpecializedProgram const& program, Filling filling)
    : bytes_(program.arena_bytes) {
  auto const fillings =
      filling == Filling::zeros ? std::vector<int>{0} : std::vector<int>{0x5A, 0xA5, 0x3C, 0xC3};
  for (auto byte : fillings) {
    auto& copy = copies_.emplace_back();
    for (std::size_t arena = 0; arena < arena_count; ++arena) {
      auto const bytes = whole_pages(bytes_[arena]);
      copy[arena].reset(static_cast<std::byte*>(std::aligned_alloc(page, bytes)));
      if (copy[arena] == nullptr) throw std::runtime_error("no memory for an arena");
      std::memset(copy[arena].get(), byte, bytes);
    }
  }
}

std::byte* Replicas::at(std::size_t copy, Slot const& slot) const {
  return slot.used ? copies_[copy][static_cast<std::size_t>(slot.arena)].get() + slot.offset
                   : nullptr;
}

std::span<std::byte> Replicas::memory(std::size_t copy, Arena arena) const {
  auto const number = static_cast<std::size_t>(arena);
  return {copies_[copy][number].get(), whole_pages(bytes_[number])};
}

std::vector<std::uint8_t> Replicas::settled(Slot const& slot) const {
  std::vector<std::uint8_t> equal(static_cast<std::size_t>(slot.bytes), 1);
  auto const* const first = at(0, slot);
  for (std::size_t copy = 1; copy < copies_.size(); ++copy) {
    auto const* const other = at(copy, slot);
    for (std::size_t i = 0; i < equal.size(); ++i) equal[i] &= first[i] == other[i] ? 1 : 0;
  }
  return equal;
}

std::vector<std::uint8_t> Replicas::settled(Arena arena) const {
  return settled(Slot{arena, 0, bytes_[static_cast<std::size_t>(arena)], true});
}

}  // namespace lbann::testing
