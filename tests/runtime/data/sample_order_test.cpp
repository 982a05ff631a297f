// Orders of samples: permutations, functions of key and epoch, without a preferred place.
#include "runtime/data/sample_order.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <vector>

using namespace lbann;

namespace {

std::vector<std::int64_t> shuffled(std::size_t count, std::int64_t seed, std::int64_t epoch) {
  std::vector<std::int64_t> indices(count);
  std::iota(indices.begin(), indices.end(), std::int64_t{0});
  runtime::shuffle(indices, random_key(seed, 0), epoch);
  return indices;
}

}  // namespace

TEST_CASE("shuffle permutes, by key and epoch alone") {
  auto order = shuffled(1000, 1, 5);
  CHECK(order == shuffled(1000, 1, 5));
  CHECK(order != shuffled(1000, 1, 6));
  CHECK(order != shuffled(1000, 2, 5));
  std::ranges::sort(order);
  for (std::size_t i = 0; i < order.size(); ++i) CHECK(order[i] == static_cast<std::int64_t>(i));
  CHECK(shuffled(0, 1, 0).empty());
  CHECK(shuffled(1, 1, 0) == std::vector<std::int64_t>{0});
}

TEST_CASE("shuffle puts every sample everywhere equally often") {
  constexpr std::size_t count = 6;
  constexpr int rounds = 12000;
  std::array<std::array<int, count>, count> seen{};
  for (int round = 0; round < rounds; ++round) {
    auto const order = shuffled(count, 3, round);
    for (std::size_t place = 0; place < count; ++place)
      ++seen[place][static_cast<std::size_t>(order[place])];
  }
  // Five standard deviations of a binomial with n = 12000, p = 1 / 6.
  for (auto const& row : seen)
    for (auto hits : row) CHECK(std::abs(hits - rounds / 6.0) < 5 * 40.9);
}
