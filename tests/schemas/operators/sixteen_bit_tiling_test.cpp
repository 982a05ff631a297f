// Products of 16-bit factors: tasks cover them, and only their number follows from the threads.
#include "schemas/operators/sixteen_bit_tiling.hpp"

#include <doctest/doctest.h>

#include <random>

using namespace lbann;

TEST_CASE("sixteen-bit tiling: every element once, depths and parts for any number of threads") {
  std::mt19937 generator(1);
  auto const extent = [&] {
    // Of any magnitude up to 2^15.
    return static_cast<std::int64_t>(generator() % (1u << (1 + generator() % 15)));
  };
  bool in_parts = false;
  for (int round = 0; round < 2000; ++round) {
    auto const rows = extent(), inner = extent() * 2, columns = extent();
    CAPTURE(rows);
    CAPTURE(inner);
    CAPTURE(columns);
    SixteenBitTiling const one(rows, inner, columns, 1);
    in_parts = in_parts || one.parts > 1;
    for (std::int64_t const threads : {1, 2, 3, 64}) {
      SixteenBitTiling const t(rows, inner, columns, threads);
      REQUIRE(t.depth == one.depth);
      REQUIRE(t.parts == one.parts);
      REQUIRE(t.depth % SixteenBitTiling::step == 0);
      REQUIRE(t.chunks() * t.depth >= inner);
      REQUIRE(t.width % SixteenBitTiling::pair == 0);
      REQUIRE(t.first_column(0) == 0);
      REQUIRE(t.first_column(t.blocks) == columns);
      for (std::int64_t block = 0; block < t.blocks; ++block) {
        auto const begin = t.first_column(block), width = t.first_column(block + 1) - begin;
        REQUIRE(begin % SixteenBitTiling::pair == 0);
        REQUIRE((width > 0 || columns == 0));
        REQUIRE((t.parts > 1 || width <= t.width));
      }
      for (std::int64_t part = 0; part < t.parts; ++part)
        REQUIRE(t.first_chunk(part) < t.first_chunk(part + 1));
      REQUIRE(t.first_chunk(t.parts) == t.chunks());
    }
  }
  CHECK(in_parts);
}

TEST_CASE("sixteen-bit tiling: an input gradient takes what its largest remainder takes") {
  // 7 entries in steps of 2: 4 entries that use one of 3 taps, and 3 that use two.
  SixteenBitAxis const axis{7, 3, 2, 1, 1};
  auto const bytes = [](std::int64_t taps, std::int64_t columns) {
    return sixteen_bit_bytes(40, sixteen_bit_inner(33, taps), columns, 2);
  };
  CHECK(sixteen_bit_inner(33, 2) == 68);
  CHECK(sixteen_bit_input_gradient_bytes(1, 40, 33, 5, std::span(&axis, 1), 2) ==
        std::max(bytes(1, 5 * 4), bytes(2, 5 * 3)));
  SixteenBitAxis const axes[] = {axis, {9, 1, 1, 0, 1}};
  CHECK(sixteen_bit_input_gradient_bytes(1, 40, 33, 5, axes, 2) ==
        std::max(bytes(1, 5 * 4 * 9), bytes(2, 5 * 3 * 9)));
}
