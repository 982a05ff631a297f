// Memory comes aligned, zeroed and as asked for, or with a message that tells the bytes.
#include "runtime/memory/arenas.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>

using namespace lbann;
using namespace lbann::runtime;

TEST_CASE("arenas are aligned, zero and apart") {
  auto const arenas = Arenas::allocate({100, 0, 64, 9 << 20, 1, 0, 0, 5000});
  REQUIRE(arenas.good());
  auto const& a = arenas.value();
  CHECK(a.total_bytes() == 100 + 64 + (9 << 20) + 1 + 5000);
  CHECK(a.bytes(Arena::gradients) == 9 << 20);
  for (auto arena :
       {Arena::weights, Arena::statistics, Arena::gradients, Arena::inputs, Arena::activations}) {
    auto* const begin = a.on_host({arena, 0, 0, true});
    REQUIRE(begin != nullptr);
    CHECK(reinterpret_cast<std::uintptr_t>(begin) % 64 == 0);
    CHECK(
        std::all_of(begin, begin + a.bytes(arena), [](std::byte b) { return b == std::byte{0}; }));
    std::fill(begin, begin + a.bytes(arena), std::byte{0xff});
  }
  CHECK(reinterpret_cast<std::uintptr_t>(a.on_host({Arena::gradients, 0, 0, true})) % (2 << 20) ==
        0);
  CHECK(a.on_host({Arena::gradients, 128, 64, true}) ==
        a.on_host({Arena::gradients, 0, 0, true}) + 128);
  CHECK(a.on_host({Arena::gradients, 128, 64, false}) == nullptr);
  CHECK(a.on_host({Arena::moments, 0, 0, true}) == nullptr);
  Slot const slot{Arena::weights, 64, 4, true};
  CHECK((a.at(slot) == a.on_host(slot)) == !device::has_own_memory());
}

TEST_CASE("more memory than the machine has is refused with the bytes asked for") {
  auto const arenas = Arenas::allocate({0, 0, 0, 0, 0, 0, 0, std::int64_t{1} << 60});
  REQUIRE_FALSE(arenas.good());
  CHECK(arenas.problem().message.find("1152921504606846976 bytes") != std::string::npos);
}

// The image of a device's memory takes none until it is used.
TEST_CASE("peak memory grows with memory used" * doctest::skip(device::has_own_memory())) {
  auto const before = peak_resident_bytes();
  CHECK(before > 0);
  auto const arenas = Arenas::allocate({0, 0, 0, 0, 0, 0, 0, before + (64 << 20)});
  REQUIRE(arenas.good());
  CHECK(peak_resident_bytes() >= before + (32 << 20));
}

TEST_CASE("bytes in words") {
  CHECK(bytes_text(0) == "0 B");
  CHECK(bytes_text(999) == "999 B");
  CHECK(bytes_text(1500) == "1.5 kB");
  CHECK(bytes_text(58'000'000) == "58.0 MB");
}
