// Layers on images: against loops over pixels.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "tests/layers/layer_run.hpp"

using namespace lbann;
using namespace lbann::testing;

namespace {

/// A point of an image: row, column.
struct Point {
  double row, column;
};

/// Each image of [samples, c, h, w] at the point `source` names for each of its pixels.
Values sampled(Values const& x, Dims const& dims, std::int64_t samples,
               std::function<Point(std::int64_t sample, double row, double column)> const& source) {
  auto const h = dims[1], w = dims[2];
  Values y;
  for (std::int64_t plane = 0; plane < samples * dims[0]; ++plane)
    for (std::int64_t r = 0; r < h; ++r)
      for (std::int64_t c = 0; c < w; ++c) {
        auto const point = source(plane / dims[0], static_cast<double>(r), static_cast<double>(c));
        auto const row = static_cast<std::int64_t>(std::floor(point.row));
        auto const column = static_cast<std::int64_t>(std::floor(point.column));
        if (row < 0 || row >= h - 1 || column < 0 || column >= w - 1) {
          y.push_back(0);
          continue;
        }
        auto const pixel = [&](std::int64_t i, std::int64_t j) {
          return x[static_cast<std::size_t>((plane * h + row + i) * w + column + j)];
        };
        auto const a = point.row - static_cast<double>(row);
        auto const b = point.column - static_cast<double>(column);
        y.push_back(pixel(0, 0) * (1 - b) * (1 - a) + pixel(0, 1) * b * (1 - a) +
                    pixel(1, 0) * (1 - b) * a + pixel(1, 1) * b * a);
      }
  return y;
}

Point turned(Dims const& dims, double angle, double row, double column) {
  auto const radians = angle * std::numbers::pi / 180;
  auto const middle_row = static_cast<double>(dims[1] / 2);
  auto const middle_column = static_cast<double>(dims[2] / 2);
  auto const down = row - middle_row, right = column - middle_column;
  return {down * std::cos(radians) - right * std::sin(radians) + middle_row,
          down * std::sin(radians) + right * std::cos(radians) + middle_column};
}

}  // namespace

TEST_CASE("rotation") {
  for (auto const& dims : {Dims{2, 5, 6}, {1, 4, 3}, {1, 1, 1}}) {
    LayerRun layer("rotation", {dims, {1}});
    CHECK(layer.output_dims() == dims);
    Values const angles{0, 33.3, -145};
    auto const x = random_samples(dims, 3, 1);
    check_close(layer.output({x, angles}, 3),
                sampled(x, dims, 3, [&](std::int64_t sample, double row, double column) {
                  return turned(dims, angles[static_cast<std::size_t>(sample)], row, column);
                }));
    CHECK(layer.output({{}, {}}, 0).empty());
    layer.check_gradients({random_samples(dims, 2, 2), {33.3, -145}}, 2);
  }
  // An angle that is no number, or without bound, gives nothing.
  LayerRun layer("rotation", {{1, 3, 3}, {1}});
  CHECK(layer.output({Values(18, 1), {std::nan(""), HUGE_VAL}}, 2) == Values(18, 0));
}

TEST_CASE("composite_image_transformation") {
  Dims const dims{2, 6, 5};
  LayerRun layer("composite_image_transformation", {dims, {1}, {2}, {2}});
  CHECK(layer.output_dims() == dims);
  Values const angles{0, 20, -70}, shears{0, 0, 0.2, -0.1, -0.3, 0.4},
      moves{0.25, 0.75, 1.1, -0.6, 2.2, 0.3};
  auto const x = random_samples(dims, 3, 1);
  check_close(layer.output({x, angles, shears, moves}, 3),
              sampled(x, dims, 3, [&](std::int64_t sample, double row, double column) {
                auto const s = static_cast<std::size_t>(sample);
                auto const point = turned(dims, angles[s], row, column);
                return Point{point.row + shears[2 * s + 1] * point.column + moves[2 * s + 1],
                             point.column + shears[2 * s] * point.row + moves[2 * s]};
              }));
  CHECK(layer.output({{}, {}, {}, {}}, 0).empty());
  layer.check_gradients({x, {3, 20, -70}, shears, moves}, 3);
}

TEST_CASE("bilinear_resize") {
  for (auto const& dims : {Dims{2, 5, 6}, {1, 1, 3}, {3, 4, 4}})
    for (auto const& to : {Dims{3, 9}, {5, 6}, {1, 1}, {8, 4}}) {
      CAPTURE(compiler::to_text(dims));
      CAPTURE(compiler::to_text(to));
      LayerRun layer("bilinear_resize {height: " + std::to_string(to[0]) +
                         ", width: " + std::to_string(to[1]) + "}",
                     {dims});
      CHECK(layer.output_dims() == Dims{dims[0], to[0], to[1]});
      auto const x = random_samples(dims, 2, 1);
      Values expected;
      for (std::int64_t plane = 0; plane < 2 * dims[0]; ++plane)
        for (std::int64_t r = 0; r < to[0]; ++r)
          for (std::int64_t c = 0; c < to[1]; ++c) {
            auto const point = [](std::int64_t i, std::int64_t from, std::int64_t extent) {
              return (static_cast<double>(i) + 0.5) *
                     (static_cast<double>(from) / static_cast<double>(extent));
            };
            auto const y = point(r, dims[1], to[0]), z = point(c, dims[2], to[1]);
            auto const row = static_cast<std::int64_t>(std::floor(y - 0.5));
            auto const column = static_cast<std::int64_t>(std::floor(z - 0.5));
            auto const a = y - (static_cast<double>(row) + 0.5);
            auto const b = z - (static_cast<double>(column) + 0.5);
            auto const pixel = [&](std::int64_t i, std::int64_t j) {
              i = std::min(std::max<std::int64_t>(i, 0), dims[1] - 1);
              j = std::min(std::max<std::int64_t>(j, 0), dims[2] - 1);
              return x[static_cast<std::size_t>((plane * dims[1] + i) * dims[2] + j)];
            };
            expected.push_back(
                (1 - a) * ((1 - b) * pixel(row, column) + b * pixel(row, column + 1)) +
                a * ((1 - b) * pixel(row + 1, column) + b * pixel(row + 1, column + 1)));
          }
      check_close(layer.output({x}, 2), expected);
      CHECK(layer.output({{}}, 0).empty());
      if (dims[0] == 2) layer.check_gradients({x}, 2);
    }
}

TEST_CASE("cutout: a square of zeros for each sample, the same for all its channels") {
  Dims const dims{2, 9, 7};
  LayerRun layer("cutout", {dims, {1}});
  layer.set("seed", {1}).set("step", {2}).set("first_sample", {0});
  Values const ones(static_cast<std::size_t>(50 * entries(dims)), 1), lengths(50, 3);
  auto const y = layer.output({ones, lengths}, 50);
  bool any_differs = false;
  for (std::size_t s = 0; s < 50; ++s) {
    std::int64_t top = 99, left = 99, bottom = -1, right = -1, zeros = 0;
    for (std::int64_t r = 0; r < 9; ++r)
      for (std::int64_t c = 0; c < 7; ++c) {
        auto const at = s * 126 + static_cast<std::size_t>(r * 7 + c);
        CHECK(y[at] == y[at + 63]);
        if (y[at] != 0) continue;
        ++zeros;
        top = std::min(top, r), bottom = std::max(bottom, r);
        left = std::min(left, c), right = std::max(right, c);
      }
    auto const height = bottom - top + 1, width = right - left + 1;
    if (zeros == 0) continue;
    CHECK(zeros == height * width);
    CHECK(bottom < 8);
    CHECK(right < 6);
    CHECK((height == 3 || bottom == 7));
    CHECK((width == 3 || right == 5));
    any_differs = any_differs || y[s * 126 + 24] != y[24];
  }
  CHECK(any_differs);
  // Nothing is cut with length 0; what stays is the image.
  auto const x = random_samples(dims, 2, 3);
  CHECK(layer.output({x, {0, 0}}, 2) == x);
  CHECK(layer.output({{}, {}}, 0).empty());
}
