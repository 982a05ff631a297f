// The table of glyphs, drawn by hand.
#include "schemas/samples/digit_strokes.hpp"

#include <algorithm>

namespace lbann {

namespace {

constexpr Stroke stroke(bool smooth, std::initializer_list<Point> points) {
  Stroke result{smooth, static_cast<std::uint8_t>(points.size()), {}};
  std::copy(points.begin(), points.end(), result.points.begin());
  return result;
}

constexpr Stroke curve(std::initializer_list<Point> points) { return stroke(true, points); }
constexpr Stroke corners(std::initializer_list<Point> points) { return stroke(false, points); }

constexpr Glyph glyph(int digit, std::initializer_list<Stroke> strokes) {
  Glyph result{static_cast<std::uint8_t>(digit), static_cast<std::uint8_t>(strokes.size()), {}};
  std::copy(strokes.begin(), strokes.end(), result.stroke.begin());
  return result;
}

constexpr Stroke upper_loop = curve({{.76f, .28f},
                                     {.60f, .07f},
                                     {.33f, .09f},
                                     {.22f, .30f},
                                     {.38f, .50f},
                                     {.64f, .46f},
                                     {.76f, .28f}});

/// By digit.
constexpr auto glyphs = std::to_array<Glyph>({
    glyph(0, {curve({{.50f, .05f},
                     {.22f, .18f},
                     {.12f, .50f},
                     {.22f, .82f},
                     {.50f, .95f},
                     {.78f, .82f},
                     {.88f, .50f},
                     {.78f, .18f},
                     {.50f, .05f}})}),
    glyph(0, {curve({{.62f, .08f},
                     {.30f, .12f},
                     {.14f, .45f},
                     {.20f, .80f},
                     {.48f, .95f},
                     {.80f, .78f},
                     {.86f, .42f},
                     {.70f, .12f},
                     {.44f, .06f}})}),
    glyph(1, {corners({{.50f, .05f}, {.50f, .95f}})}),
    glyph(1, {corners({{.28f, .28f}, {.53f, .06f}, {.53f, .95f}})}),
    glyph(1, {corners({{.28f, .28f}, {.53f, .06f}, {.53f, .94f}}),
              corners({{.26f, .95f}, {.78f, .95f}})}),
    glyph(2, {curve({{.18f, .28f},
                     {.32f, .08f},
                     {.62f, .06f},
                     {.80f, .25f},
                     {.70f, .50f},
                     {.40f, .75f},
                     {.15f, .94f}}),
              corners({{.15f, .94f}, {.86f, .94f}})}),
    glyph(2, {curve({{.18f, .22f},
                     {.45f, .05f},
                     {.76f, .18f},
                     {.72f, .48f},
                     {.42f, .76f},
                     {.18f, .90f},
                     {.28f, .72f},
                     {.50f, .86f},
                     {.88f, .92f}})}),
    glyph(3, {curve({{.20f, .15f},
                     {.45f, .05f},
                     {.75f, .15f},
                     {.72f, .38f},
                     {.45f, .48f},
                     {.78f, .60f},
                     {.80f, .82f},
                     {.50f, .96f},
                     {.18f, .85f}})}),
    glyph(3, {corners({{.20f, .07f}, {.78f, .07f}, {.45f, .42f}}),
              curve({{.45f, .42f}, {.75f, .50f}, {.82f, .72f}, {.60f, .94f}, {.20f, .88f}})}),
    glyph(4, {corners({{.25f, .05f}, {.15f, .60f}, {.86f, .60f}}),
              corners({{.68f, .28f}, {.66f, .95f}})}),
    glyph(4, {corners({{.62f, .05f}, {.12f, .66f}, {.88f, .66f}}),
              corners({{.62f, .05f}, {.62f, .95f}})}),
    glyph(4, {curve({{.24f, .06f}, {.20f, .40f}, {.34f, .54f}, {.72f, .46f}}),
              corners({{.74f, .08f}, {.70f, .95f}})}),
    glyph(5, {corners({{.80f, .07f}, {.28f, .07f}, {.24f, .45f}}), curve({{.24f, .45f},
                                                                          {.50f, .38f},
                                                                          {.80f, .52f},
                                                                          {.82f, .76f},
                                                                          {.55f, .95f},
                                                                          {.18f, .88f}})}),
    glyph(5, {curve({{.80f, .10f},
                     {.34f, .08f},
                     {.28f, .42f},
                     {.62f, .42f},
                     {.80f, .66f},
                     {.60f, .93f},
                     {.20f, .90f}})}),
    glyph(6, {curve({{.70f, .06f},
                     {.38f, .25f},
                     {.20f, .55f},
                     {.22f, .82f},
                     {.50f, .95f},
                     {.78f, .82f},
                     {.76f, .58f},
                     {.50f, .50f},
                     {.24f, .66f}})}),
    glyph(6, {curve({{.42f, .04f},
                     {.28f, .40f},
                     {.22f, .75f},
                     {.44f, .95f},
                     {.72f, .86f},
                     {.74f, .62f},
                     {.52f, .54f},
                     {.28f, .70f}})}),
    glyph(7, {corners({{.15f, .08f}, {.85f, .08f}, {.42f, .95f}})}),
    glyph(7, {corners({{.15f, .08f}, {.85f, .08f}, {.42f, .95f}}),
              corners({{.34f, .50f}, {.80f, .50f}})}),
    glyph(
        7,
        {curve(
            {{.14f, .14f}, {.50f, .10f}, {.84f, .08f}, {.62f, .40f}, {.46f, .70f}, {.42f, .95f}})}),
    glyph(8, {curve({{.50f, .05f},
                     {.24f, .16f},
                     {.28f, .38f},
                     {.50f, .48f},
                     {.74f, .38f},
                     {.76f, .16f},
                     {.50f, .05f}}),
              curve({{.50f, .48f},
                     {.20f, .62f},
                     {.20f, .84f},
                     {.50f, .95f},
                     {.80f, .84f},
                     {.80f, .62f},
                     {.50f, .48f}})}),
    glyph(8, {curve({{.76f, .14f},
                     {.42f, .05f},
                     {.22f, .24f},
                     {.50f, .47f},
                     {.78f, .70f},
                     {.52f, .95f},
                     {.22f, .78f},
                     {.46f, .50f},
                     {.76f, .16f}})}),
    glyph(9, {upper_loop, curve({{.76f, .28f}, {.74f, .60f}, {.58f, .95f}})}),
    glyph(9, {upper_loop, corners({{.76f, .28f}, {.74f, .95f}})}),
    glyph(9, {upper_loop, curve({{.76f, .28f}, {.76f, .70f}, {.60f, .93f}, {.28f, .87f}})}),
});

}  // namespace

std::span<Glyph const> glyphs_of(std::int64_t digit) {
  auto const found = std::ranges::equal_range(
      glyphs, digit, {}, [](Glyph const& glyph) { return std::int64_t{glyph.digit}; });
  return {found.begin(), found.end()};
}

}  // namespace lbann
