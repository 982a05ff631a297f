// Strokes to segments to distances to ink.
#include "schemas/samples/draw_digit.hpp"

#include <algorithm>
#include <cmath>

#include "schemas/samples/digit_strokes.hpp"

namespace lbann {

namespace {

/// Random numbers one after the other: block 0 of the counter is the first digit's class.
class Dice {
 public:
  Dice(PhiloxKey key, std::int64_t index) : key_(key), index_(index) {}

  float between(float least, float most) {
    if (used_ == 4) {
      words_ = philox(random_counter(0, index_, block_++), key_);
      used_ = 0;
    }
    return least + (most - least) * unit_float(words_[used_++]);
  }

 private:
  PhiloxKey key_;
  std::int64_t index_;
  std::int64_t block_ = 1;
  PhiloxCounter words_{};
  std::size_t used_ = 4;
};

/// From the unit square of glyphs to pixels.
struct Affine {
  float xx, xy, yx, yy, x, y;

  Point operator()(Point p) const { return {xx * p.x + xy * p.y + x, yx * p.x + yy * p.y + y}; }
};

Affine random_affine(Dice& dice, float size) {
  auto const width = dice.between(0.42f, 0.72f), height = dice.between(0.62f, 0.82f);
  auto const angle = dice.between(-0.3f, 0.3f), shear = dice.between(-0.35f, 0.35f);
  auto const cosine = std::cos(angle), sine = std::sin(angle);
  Affine map{};
  map.xx = size * width * cosine;
  map.xy = size * height * (shear * cosine - sine);
  map.yx = size * width * sine;
  map.yy = size * height * (shear * sine + cosine);
  // The middle of the glyph lands near the middle of the image.
  auto const x = size * dice.between(0.42f, 0.58f), y = size * dice.between(0.43f, 0.57f);
  map.x = x - 0.5f * (map.xx + map.xy);
  map.y = y - 0.5f * (map.yx + map.yy);
  return map;
}

/// Distances of pixels to the pen's way.
class Paper {
 public:
  Paper(std::int64_t size, float reach, std::span<float> distances)
      : size_(size), reach_(reach), distances_(distances) {
    std::ranges::fill(distances_, reach * reach);
  }

  /// The pen goes straight from `a` to `b`: squared distances sink.
  void line(Point a, Point b) {
    auto const first = [&](float from) {
      return std::clamp<std::int64_t>(static_cast<std::int64_t>(from - reach_), 0, size_);
    };
    auto const last = [&](float to) {
      return std::clamp<std::int64_t>(static_cast<std::int64_t>(to + reach_) + 1, 0, size_);
    };
    auto const dx = b.x - a.x, dy = b.y - a.y;
    auto const length = std::max(dx * dx + dy * dy, 1e-6f);
    for (auto row = first(std::min(a.y, b.y)); row < last(std::max(a.y, b.y)); ++row)
      for (auto column = first(std::min(a.x, b.x)); column < last(std::max(a.x, b.x)); ++column) {
        auto const px = static_cast<float>(column) + 0.5f - a.x;
        auto const py = static_cast<float>(row) + 0.5f - a.y;
        auto const t = std::clamp((px * dx + py * dy) / length, 0.0f, 1.0f);
        auto const ex = px - t * dx, ey = py - t * dy;
        auto& distance = distances_[static_cast<std::size_t>(row * size_ + column)];
        distance = std::min(distance, ex * ex + ey * ey);
      }
  }

 private:
  std::int64_t size_;
  float reach_;
  std::span<float> distances_;
};

/// Between `b` and `c`, whose neighbours are `a` and `d`. E. Catmull, R. Rom, "A class of local
/// interpolating splines", 1974.
Point catmull_rom(Point a, Point b, Point c, Point d, float t) {
  auto const blend = [t](float p, float q, float r, float s) {
    return 0.5f *
           (2 * q + t * (r - p + t * (2 * p - 5 * q + 4 * r - s + t * (3 * (q - r) + s - p))));
  };
  return {blend(a.x, b.x, c.x, d.x), blend(a.y, b.y, c.y, d.y)};
}

void draw(Stroke const& stroke, Affine const& affine, Paper& paper) {
  constexpr int pieces = 5;
  for (int i = 0; i + 1 < stroke.count; ++i) {
    auto const at = [&](int k) {
      return stroke.points[static_cast<std::size_t>(std::clamp(k, 0, stroke.count - 1))];
    };
    auto from = affine(at(i));
    for (int k = 1; stroke.smooth && k < pieces; ++k) {
      auto const to = affine(
          catmull_rom(at(i - 1), at(i), at(i + 1), at(i + 2), static_cast<float>(k) / pieces));
      paper.line(from, to);
      from = to;
    }
    paper.line(from, affine(at(i + 1)));
  }
}

}  // namespace

std::int64_t digit_of(PhiloxKey key, std::int64_t index) {
  return static_cast<std::int64_t>(unit_double(philox(random_counter(0, index, 0), key)[0]) * 10);
}

void draw_digit(PhiloxKey key, std::int64_t index, std::int64_t size,
                std::span<std::uint8_t> pixels, std::span<float> distances) {
  Dice dice(key, index);
  auto const extent = static_cast<float>(size);
  auto const glyphs = glyphs_of(digit_of(key, index));
  auto glyph = glyphs[static_cast<std::size_t>(dice.between(0, static_cast<float>(glyphs.size())))];
  auto const wobble = dice.between(0.0f, 0.07f);
  for (auto& stroke : std::span(glyph.stroke).first(glyph.strokes))
    for (auto& point : std::span(stroke.points).first(stroke.count))
      point = {point.x + dice.between(-wobble, wobble), point.y + dice.between(-wobble, wobble)};

  auto const affine = random_affine(dice, extent);
  auto const radius = extent * dice.between(0.022f, 0.062f);
  auto const softness = extent * dice.between(0.02f, 0.045f);
  auto const ink = dice.between(0.55f, 1.0f), noise = dice.between(0.0f, 0.25f);
  Paper paper(size, radius + softness + 1, distances);
  for (auto const& stroke : std::span(glyph.stroke).first(glyph.strokes))
    draw(stroke, affine, paper);
  // Stray marks: short lines anywhere.
  for (auto marks = dice.between(0, 2.5f); marks >= 1; marks -= 1) {
    Point const a{extent * dice.between(0, 1), extent * dice.between(0, 1)};
    paper.line(a, {a.x + extent * dice.between(-0.14f, 0.14f),
                   a.y + extent * dice.between(-0.14f, 0.14f)});
  }
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    auto const beyond = (std::sqrt(distances[i]) - radius) / softness;
    auto const shade = ink * std::clamp(0.5f - 0.5f * beyond, 0.0f, 1.0f);
    auto const grain = noise * (dice.between(0, 1) + dice.between(0, 1) - 1);
    auto const value = std::clamp(shade + grain, 0.0f, 1.0f) * 255;
    pixels[i] = static_cast<std::uint8_t>(std::floor(value + 0.5f));
  }
}

}  // namespace lbann
