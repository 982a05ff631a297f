// Offsets of buffers that live at different times, checked pair by pair.
#include "schemas/specialization/allocate.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

using namespace lbann;

namespace {

/// No two buffers overlap while both live, all are aligned and inside; the size is at least what
/// lives at the worst step.
void check(std::vector<Lifetime> const& buffers, double slack) {
  auto const allocation = allocate(buffers);
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
    if (count > 0) check(buffers, 1.6);
  }
}

TEST_CASE("allocate keeps many buffers apart") {
  std::mt19937 random(6);
  std::vector<Lifetime> buffers;
  for (std::size_t i = 0; i < 2500; ++i)
    buffers.push_back({static_cast<std::int64_t>(1 + random() % 3000), i, i + random() % 20});
  check(buffers, 1.6);
}

TEST_CASE("allocate needs no more than what lives, for a forward and a backward pass") {
  // Activation i lives until its gradient's step, as in training.
  std::vector<Lifetime> buffers;
  for (std::size_t i = 0; i < 50; ++i)
    buffers.push_back({static_cast<std::int64_t>(64 * (1 + i % 7)), i, 100 - i});
  check(buffers, 1.0);
  CHECK(allocate({}).bytes == 0);
}
