// The ways digits are written, as strokes in the unit square.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace lbann {

struct Point {
  float x = 0, y = 0;  ///< to the right and downwards
};

/// A line through up to nine points; smooth (Catmull-Rom) or with corners.
struct Stroke {
  bool smooth = false;
  std::uint8_t count = 0;
  std::array<Point, 9> points{};
};

/// One way to write a digit.
struct Glyph {
  std::uint8_t digit = 0;
  std::uint8_t strokes = 0;
  std::array<Stroke, 3> stroke{};
};

/// All ways to write `digit` (0 to 9), at least one.
std::span<Glyph const> glyphs_of(std::int64_t digit);

}  // namespace lbann
