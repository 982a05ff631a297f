// Offsets of buffers that live at different times, checked pair by pair.
#include "schemas/specialization/allocate.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "schemas/specialization/allocate_for_threads.hpp"

using namespace lbann;

namespace {

/// No two buffers overlap while both live, all are aligned and inside; the size is at least what
/// lives at the worst step.
void check(std::vector<Lifetime> const& buffers, double slack, Allocation const& allocation) {
  REQUIRE(allocation.offsets.size() == buffers.size());
  std::int64_t worst = 0;
  std::size_t overlaps = 0;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    auto const& a = buffers[i];
    CHECK(allocation.offsets[i] % 64 == 0);
    CHECK(allocation.offsets[i] + a.bytes <= allocation.bytes);
    std::int64_t living = 0;
    for (std::size_t k = 0; k < buffers.size(); ++k) {
      auto const& b = buffers[k];
      if (b.first <= a.first && a.first <= b.last) living += (b.bytes + 63) / 64 * 64;
      if (k <= i || a.last < b.first || b.last < a.first || a.bytes == 0 || b.bytes == 0) continue;
      if (allocation.offsets[i] < allocation.offsets[k] + b.bytes &&
          allocation.offsets[k] < allocation.offsets[i] + a.bytes)
        ++overlaps;
    }
    worst = std::max(worst, living);
  }
  CHECK(overlaps == 0);
  CHECK(allocation.bytes >= worst);
  CHECK(static_cast<double>(allocation.bytes) <= slack * static_cast<double>(worst));
}

}  // namespace

TEST_CASE("allocate keeps living buffers apart") {
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    std::vector<Lifetime> buffers;
    auto const count = random() % 60, steps = 1 + random() % 40;
    for (std::size_t i = 0; i < count; ++i) {
      auto const first = random() % steps;
      buffers.push_back({static_cast<std::int64_t>(random() % 5 == 0 ? 0 : random() % 3000), first,
                         std::min<std::size_t>(steps, first + random() % 8)});
    }
    if (count > 0) check(buffers, 1.6, allocate(buffers));
  }
}

TEST_CASE("allocate keeps many buffers apart") {
  std::mt19937 random(6);
  std::vector<Lifetime> buffers;
  for (std::size_t i = 0; i < 2500; ++i)
    buffers.push_back({static_cast<std::int64_t>(1 + random() % 3000), i, i + random() % 20});
  check(buffers, 1.6, allocate(buffers));
}

TEST_CASE("allocate keeps buffers of threads apart") {
  std::mt19937 random(7);
  for (int round = 0; round < 100; ++round) {
    std::vector<Lifetime> buffers;
    auto const count = random() % 80;
    for (std::size_t i = 0; i < count; ++i)
      buffers.push_back(
          {static_cast<std::int64_t>(random() % 300000), i, i + random() % 8, random() % 3 != 0});
    auto const limit = allocate(buffers).bytes + (1 << 20) - 1;
    auto const apart = allocate_for_threads(buffers, 1 + round % 9, 1 << 21, limit);
    REQUIRE(apart);
    CHECK(apart->bytes <= limit);
    if (count > 0) check(buffers, 4, *apart);
  }
}

TEST_CASE("buffers of threads: each finds its part where it had one before") {
  constexpr std::int64_t size = 1 << 20, half = size / 2, caches = 64 << 20;
  auto const place = [](std::vector<Lifetime> const& buffers, std::int64_t limit,
                        std::int64_t threads, std::int64_t recent) {
    return allocate_for_threads(buffers, threads, recent, limit).value().offsets.back();
  };
  // In the middle, so that the first half is in the first half.
  CHECK(place({{size, 0, 0}, {half, 1, 1}}, size, 2, caches) == half / 2);
  CHECK(place({{size, 0, 0}, {half, 1, 1}}, size, 1, caches) == 0);
  // What died longer ago than that is in no cache.
  CHECK(place({{size, 0, 0}, {half, 1, 1}}, size, 2, 0) == 0);
  // Scratch that any thread may touch is apart from all, where there is room.
  Lifetime const scratch{size, 1, 1, false};
  CHECK(place({{size, 0, 0}, scratch}, 2 * size, 2, caches) == size);
  CHECK(place({{size, 0, 0}, scratch}, size, 2, caches) == 0);
  CHECK(place({scratch, {size, 2, 2}}, 2 * size, 2, caches) == size);
  CHECK(place({{size, 0, 0}, scratch, {size, 2, 2}}, 2 * size, 2, caches) == 0);
  CHECK_FALSE(allocate_for_threads(std::vector<Lifetime>{{size, 0, 1}, {half, 1, 1}}, 2, caches,
                                   size + half - 64));
}

TEST_CASE("buffers of threads take no more than may be spared, and less where caches hold all") {
  constexpr std::int64_t size = 1 << 20;
  auto const bytes = [](std::int64_t of_all, std::int64_t threads, std::int64_t spare) {
    std::vector<Lifetime> const buffers{{of_all, 0, 1}, {size, 0, 0}, {size, 1, 1, false}};
    return allocate(buffers, threads, spare).bytes - of_all;
  };
  CHECK(bytes(256 * size, 2, size) == 2 * size);
  CHECK(bytes(256 * size, 2, size - 64) == 2 * size - 64);
  CHECK(bytes(256 * size, 2, 0) == size);
  CHECK(bytes(256 * size, 1, size) == size);
  CHECK(bytes(64 * size, 2, size) == size);
}

TEST_CASE("allocate needs no more than what lives, for a forward and a backward pass") {
  // Activation i lives until its gradient's step, as in training.
  std::vector<Lifetime> buffers;
  for (std::size_t i = 0; i < 50; ++i)
    buffers.push_back({static_cast<std::int64_t>(64 * (1 + i % 7)), i, 100 - i});
  check(buffers, 1.0, allocate(buffers));
  CHECK(allocate({}).bytes == 0);
}
