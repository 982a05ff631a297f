// Registers: loads and stores of some lanes, conversions.
#include "kernels/host/vector.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>

using namespace lbann::kernels::host;

TEST_CASE_TEMPLATE("ranges of lanes: others are neither read nor written", T, float, double) {
  constexpr int n = lanes<T>;
  T from[n], to[n];
  for (int i = 0; i < n; ++i) from[i] = T(i + 1);
  for (int first = -1; first <= n; ++first)
    for (int last = first; last <= n + 1; ++last) {
      LaneRange<T> const range(first, last);
      std::fill_n(to, n, T(-1));
      range.store(to, load_vector(from));
      auto const loaded = range.load(from);
      for (int i = 0; i < n; ++i) {
        bool const inside = i >= first && i < last;
        CHECK(to[i] == (inside ? from[i] : T(-1)));
        CHECK(loaded[i] == (inside ? from[i] : T(0)));
      }
    }
}

TEST_CASE("bf16 in registers is what it is number by number") {
  constexpr int width = lanes<float>;
  for (std::uint32_t upper = 0; upper < 1u << 16; upper += width)
    for (std::uint32_t const lower : {0x0000u, 0x0001u, 0x7fffu, 0x8000u, 0x8001u, 0xffffu}) {
      float values[width], rounded[width];
      std::uint16_t bits[width];
      for (std::uint32_t i = 0; i < width; ++i)
        values[i] = std::bit_cast<float>((upper + i) << 16 | lower);
      auto const v = rounded_to_bfloat16(load_vector(values));
      store_vector(rounded, v);
      store_bfloat16(bits, v);
      auto const again = load_bfloat16(bits);
      for (int i = 0; i < width; ++i) {
        auto const expected = lbann::bfloat16_rounded_bits(values[i]);
        REQUIRE(std::bit_cast<std::uint32_t>(rounded[i]) == expected);
        REQUIRE(bits[i] == expected >> 16);
        REQUIRE(std::bit_cast<std::uint32_t>(again[i]) == expected);
      }
    }
}

TEST_CASE("the first numbers of 16 bits, and halves of a register as doubles") {
  constexpr int width = lanes<float>, half = lanes<double>;
  std::uint16_t from[width];
  float values[width];
  for (int i = 0; i < width; ++i) {
    from[i] = static_cast<std::uint16_t>(i + 1);
    values[i] = 0.1f * static_cast<float>(i + 1);
  }
  for (int count = 0; count <= width; ++count) {
    std::uint16_t to[width] = {};
    copy_first_halves(to, from, count);
    for (int i = 0; i < width; ++i) CHECK(to[i] == (i < count ? from[i] : 0));
  }
  auto const v = load_vector(values);
  auto const lower = lower_doubles(v), upper = upper_doubles(v);
  for (int i = 0; i < half; ++i) {
    CHECK(lower[i] == static_cast<double>(values[i]));
    CHECK(upper[i] == static_cast<double>(values[half + i]));
  }
}
