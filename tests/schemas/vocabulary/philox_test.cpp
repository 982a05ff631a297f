// Philox: the published known answers, distinct counters, moments of the uniform numbers.
#include "schemas/vocabulary/philox.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

using namespace lbann;

TEST_CASE("philox gives Random123's known answers") {
  // kat_vectors of Random123 1.14, philox4x32 with 10 rounds.
  CHECK(philox({0, 0, 0, 0}, {0, 0}) ==
        PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}) ==
        PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("random_counter is distinct in step, sample and block") {
  std::int64_t const values[] = {0, 1, 2, std::int64_t{1} << 31, (std::int64_t{1} << 32) - 1};
  std::set<PhiloxCounter> seen;
  std::size_t count = 0;
  for (auto step : values)
    for (auto sample : values)
      for (auto block : values) {
        seen.insert(random_counter(step << 1, sample << 1, block));
        ++count;
      }
  CHECK(seen.size() == count);
}

TEST_CASE("random_key differs by seed and by name") {
  CHECK(random_key(1, random_name("a")) != random_key(2, random_name("a")));
  CHECK(random_key(1, random_name("a")) != random_key(1, random_name("b")));
  CHECK(random_key(1, 2) != random_key(2, 1));
}

TEST_CASE("unit_float and unit_double are uniform in [0, 1)") {
  CHECK(unit_float(0xffffffff) < 1.0f);
  CHECK(unit_double(0xffffffff) < 1.0);
  CHECK(unit_float(0) == 0.0f);
  auto const key = random_key(42, random_name("uniform"));
  double sum = 0, squares = 0;
  constexpr int blocks = 100000;
  for (int i = 0; i < blocks; ++i)
    for (auto word : philox(random_counter(0, i, 0), key)) {
      auto const x = unit_double(word);
      CHECK_FALSE(std::abs(x - static_cast<double>(unit_float(word))) > 0x1p-24);
      sum += x;
      squares += x * x;
    }
  // Five standard deviations of the means of 400,000 uniform numbers.
  CHECK(std::abs(sum / (4 * blocks) - 0.5) < 5 * 0.2887 / 632.4);
  CHECK(std::abs(squares / (4 * blocks) - 1.0 / 3) < 5 * 0.2981 / 632.4);
}
