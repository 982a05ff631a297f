// Transforms against their definitions, on images of odd sizes and of one pixel.
#include "schemas/transforms/list.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "schemas/transforms/apply_transforms.hpp"

using namespace lbann;
using namespace lbann::transforms;

namespace {

constexpr PhiloxKey test_key = {1, 2};

/// An image whose pixels are all different, of 0 to 255.
SampleValues image(std::int64_t channels, std::int64_t height, std::int64_t width) {
  SampleValues made{{channels, height, width}, {}, {}};
  for (std::int64_t i = 0; i < channels * height * width; ++i)
    made.values.push_back(static_cast<double>((i * 37 + 11) % 256));
  return made;
}

double at(SampleValues const& image, std::int64_t channel, std::int64_t row, std::int64_t column) {
  return image.values.at(
      static_cast<std::size_t>((channel * image.height() + row) * image.width() + column));
}

SampleValues applied(Transform const& transform, SampleValues sample, std::int64_t index = 0,
                     std::int64_t epoch = 0) {
  auto const expected = dims_after(transform, sample.dims);
  REQUIRE_MESSAGE(expected.good(), expected.problem().message);
  apply_transforms({&transform, 1}, sample, test_key, epoch, index);
  CHECK(sample.dims == expected.value());
  CHECK(static_cast<std::int64_t>(sample.values.size()) ==
        std::accumulate(sample.dims.begin(), sample.dims.end(), std::int64_t{1},
                        std::multiplies<>{}));
  return sample;
}

std::string refusal(Transform const& transform, SampleDims const& dims) {
  auto const after = dims_after(transform, dims);
  return after ? "" : after.problem().message;
}

SampleDims const sizes[] = {{1, 1, 1}, {3, 1, 5}, {1, 7, 1}, {3, 5, 8}, {3, 9, 4}};

}  // namespace

TEST_CASE("numbers: scale, normalize, sample_normalize, layouts") {
  for (auto const& dims : sizes) {
    auto const from = image(dims[0], dims[1], dims[2]);
    auto const channels = static_cast<std::size_t>(dims[0]);
    auto const pixels = from.values.size() / channels;
    std::vector<double> const means = {1, 20, 30}, stddevs = {2, 0.5, 7};
    std::vector<double> const m(means.begin(), means.begin() + dims[0]),
        d(stddevs.begin(), stddevs.begin() + dims[0]);
    auto const scaled = applied(scale{0.25}, from), byte = applied(to_lbann_layout{}, from);
    auto const normal = applied(normalize{m, d}, from);
    auto const layout = applied(normalize_to_lbann_layout{m, d}, from);
    for (std::size_t i = 0; i < from.values.size(); ++i) {
      auto const value = from.values[i];
      CHECK(scaled.values[i] == 0.25 * value);
      CHECK(byte.values[i] == value / 255);
      CHECK(normal.values[i] == (value - means[i / pixels]) / stddevs[i / pixels]);
      CHECK(layout.values[i] == (value / 255 - means[i / pixels]) / stddevs[i / pixels]);
    }
    auto const own = applied(sample_normalize{}, from);
    double sum = 0, squares = 0;
    for (auto const value : own.values) sum += value, squares += value * value;
    CHECK(std::abs(sum) < 1e-9);
    CHECK(squares == doctest::Approx(own.values.size() > 1 ? own.values.size() : 0));
  }
  CHECK(refusal(normalize{{1, 2}, {1, 2}}, {3, 4, 4}).starts_with("has 2 means and 2 deviations"));
  CHECK(refusal(normalize{{1}, {1, 2}}, {1, 4, 4}) != "");
  CHECK(refusal(normalize{{1, 2}, {1, 2}}, {2}) == "");
}

TEST_CASE("crops, flips and margins move pixels") {
  for (auto const& dims : sizes) {
    auto const from = image(dims[0], dims[1], dims[2]);
    auto const mirrored = applied(horizontal_flip{1}, from),
               upside = applied(vertical_flip{1}, from);
    auto const wide = applied(pad{2}, from);
    for (std::int64_t c = 0; c < dims[0]; ++c)
      for (std::int64_t y = 0; y < dims[1]; ++y)
        for (std::int64_t x = 0; x < dims[2]; ++x) {
          CHECK(at(mirrored, c, y, x) == at(from, c, y, dims[2] - 1 - x));
          CHECK(at(upside, c, y, x) == at(from, c, dims[1] - 1 - y, x));
          CHECK(at(wide, c, y + 2, x + 2) == at(from, c, y, x));
        }
    CHECK(std::accumulate(wide.values.begin(), wide.values.end(), 0.0) ==
          std::accumulate(from.values.begin(), from.values.end(), 0.0));
    CHECK(applied(horizontal_flip{0}, from).values == from.values);
    CHECK(applied(vertical_flip{0}, from).values == from.values);
    CHECK(applied(center_crop{dims[1], dims[2]}, from).values == from.values);
    CHECK(applied(random_crop{dims[1], dims[2]}, from).values == from.values);
  }
  auto const from = image(3, 6, 9);
  auto const middle = applied(center_crop{3, 4}, from);
  CHECK(at(middle, 2, 0, 0) == at(from, 2, 2, 3));  // 1.5 and 2.5 are rounded up
  std::map<std::vector<double>, int> places;
  for (int index = 0; index < 400; ++index)
    ++places[applied(random_crop{5, 8}, from, index).values];
  REQUIRE(places.size() == 4);  // two rows times two columns
  for (auto const& [values, times] : places) CHECK(times > 60);
  CHECK(refusal(center_crop{7, 4}, {3, 6, 9}) ==
        "cuts out 7 x 4 pixels, but images are 6 x 9 here");
  CHECK(refusal(random_crop{3, 4}, {54}).starts_with("works on images"));
  CHECK(refusal(center_crop{7, 4}, {3, 0, 0}) == "");
}

TEST_CASE("resize is bilinear between centres of pixels") {
  for (auto const& dims : sizes) {
    auto const from = image(dims[0], dims[1], dims[2]);
    CHECK(applied(resize{dims[1], dims[2]}, from).values == from.values);
    for (auto const& [height, width] : {std::pair<int, int>{1, 1}, {4, 11}, {13, 3}}) {
      auto const to = applied(resize{height, width}, from);
      for (std::int64_t c = 0; c < dims[0]; ++c)
        for (int y = 0; y < height; ++y)
          for (int x = 0; x < width; ++x) {
            // The same by weights of all pixels: a triangle of width one about the place.
            auto const place = [](int i, int size, std::int64_t old) {
              return std::clamp((i + 0.5) * static_cast<double>(old) / size - 0.5, 0.0,
                                static_cast<double>(old - 1));
            };
            double expected = 0;
            for (std::int64_t v = 0; v < dims[1]; ++v)
              for (std::int64_t u = 0; u < dims[2]; ++u)
                expected += at(from, c, v, u) *
                            std::max(0.0, 1 - std::abs(place(y, height, dims[1]) - v)) *
                            std::max(0.0, 1 - std::abs(place(x, width, dims[2]) - u));
            CHECK(at(to, c, y, x) == doctest::Approx(expected).epsilon(1e-12));
          }
    }
  }
  auto const from = image(3, 7, 5);
  auto const larger = applied(resize{14, 10}, from);
  CHECK(applied(resized_center_crop{14, 10, 4, 6}, from).values ==
        applied(center_crop{4, 6}, larger).values);
  auto const part = applied(random_resized_crop_with_fixed_aspect_ratio{14, 10, 4, 6}, from, 3);
  bool found = false;
  for (std::int64_t top = 0; top <= 10; ++top)
    for (std::int64_t left = 0; left <= 4; ++left)
      found = found || (at(part, 0, 0, 0) == at(larger, 0, top, left) &&
                        at(part, 2, 3, 5) == at(larger, 2, top + 3, left + 5));
  CHECK(found);
  CHECK(refusal(resized_center_crop{4, 4, 5, 4}, {3, 7, 5}) != "");
}

TEST_CASE("random_resized_crop takes parts of the area that is asked for") {
  // A ramp tells where the part lay: of columns in the first channel, of rows in the second.
  SampleValues ramp{{3, 40, 60}, std::vector<double>(3 * 40 * 60), {}};
  for (std::int64_t y = 0; y < 40; ++y)
    for (std::int64_t x = 0; x < 60; ++x) {
      ramp.values[static_cast<std::size_t>(y * 60 + x)] = static_cast<double>(x);
      ramp.values[static_cast<std::size_t>((40 + y) * 60 + x)] = static_cast<double>(y);
    }
  double least = 1, most = 0, narrow = 100, broad = 0;
  for (int index = 0; index < 500; ++index) {
    auto const part = applied(random_resized_crop{8, 8, 0.2, 0.5, 0.75, 4.0 / 3}, ramp, index);
    // Bilinear interpolation keeps a ramp: 8 pixels span 7/8 of the part.
    double const width = (at(part, 0, 0, 6) - at(part, 0, 0, 1)) / 5 * 8;
    double const height = (at(part, 1, 6, 0) - at(part, 1, 1, 0)) / 5 * 8;
    auto const area = width * height / 2400;
    least = std::min(least, area);
    most = std::max(most, area);
    narrow = std::min(narrow, width / height);
    broad = std::max(broad, width / height);
  }
  CHECK(least > 0.16);  // sides are rounded down
  CHECK(least < 0.22);
  CHECK(most < 0.505);
  CHECK(most > 0.47);
  CHECK(narrow > 0.68);
  CHECK(narrow < 0.8);
  CHECK(broad > 1.25);
  CHECK(broad < 1.46);
  // Where no part fits, the largest square.
  auto const square = applied(random_resized_crop{4, 4, 1, 1, 3, 3}, ramp);
  CHECK(at(square, 0, 0, 0) == doctest::Approx(10 + 4.5));
}

TEST_CASE("random_affine turns, scales and moves about the centre") {
  for (auto const& dims : sizes) {
    auto const from = image(dims[0], dims[1], dims[2]);
    CHECK(applied(random_affine{}, from).values == from.values);
    auto const turned = applied(random_affine{180, 180, 0, 0, 0, 0, 0, 0}, from);
    auto const flipped = applied(vertical_flip{1}, applied(horizontal_flip{1}, from));
    for (std::size_t i = 0; i < from.values.size(); ++i)
      CHECK(turned.values[i] == doctest::Approx(flipped.values[i]).epsilon(1e-9));
  }
  auto const from = image(1, 5, 5);
  auto const quarter = applied(random_affine{90, 90, 0, 0, 0, 0, 0, 0}, from);
  // Image coordinates: x to the right, y down; (x, y) goes to (-y, x) about the centre.
  CHECK(at(quarter, 0, 4, 3) == doctest::Approx(at(from, 0, 1, 4)));
  auto const doubled = applied(random_affine{0, 0, 0, 0, 2, 2, 0, 0}, from);
  CHECK(at(doubled, 0, 2, 2) == doctest::Approx(at(from, 0, 2, 2)));
  CHECK(at(doubled, 0, 4, 2) == doctest::Approx(at(from, 0, 3, 2)));
  bool moved = false;
  for (int index = 0; index < 20; ++index) {
    auto const along = applied(random_affine{0, 0, 0.4, 0, 0, 0, 0, 0}, from, index);
    moved = moved || along.values != from.values;
    bool found = false;
    for (std::int64_t rows = -2; rows <= 2; ++rows)
      found = found || at(along, 0, 2, 1) == at(from, 0, 2 - rows, 1);
    CHECK(found);
  }
  CHECK(moved);
  CHECK(refusal(random_affine{0, 0, 0, 0, 0, 2, 0, 0}, {1, 5, 5}) != "");
  CHECK(refusal(random_affine{5, 1, 0, 0, 0, 0, 0, 0}, {1, 5, 5}) != "");
  CHECK(refusal(random_affine{0, 0, 0, 0, 0, 0, 90, 90}, {1, 5, 5}) != "");
}

TEST_CASE("colors") {
  auto const from = image(3, 5, 4);
  auto const gray = applied(grayscale{}, from);
  double mean = 0;
  for (std::size_t i = 0; i < 20; ++i) {
    double const expected =
        0.299 * from.values[i] + 0.587 * from.values[20 + i] + 0.114 * from.values[40 + i];
    CHECK(gray.values[i] == doctest::Approx(expected).epsilon(1e-12));
    mean += expected / 20;
  }
  auto const again = applied(colorize{}, gray);
  CHECK(applied(colorize{}, from).values == from.values);
  CHECK(applied(grayscale{}, gray).values == gray.values);
  for (std::size_t i = 0; i < 60; ++i) CHECK(again.values[i] == gray.values[i % 20]);
  for (double const factor : {0.0, 0.5, 1.0, 1.7}) {
    auto const bright = applied(adjust_brightness{factor}, from);
    auto const contrast = applied(adjust_contrast{factor}, from);
    auto const saturated = applied(adjust_saturation{factor}, from);
    for (std::size_t i = 0; i < 60; ++i) {
      auto const limited = [](double value) {
        return doctest::Approx(std::clamp(value, 0.0, 255.0));
      };
      CHECK(bright.values[i] == limited(factor * from.values[i]));
      CHECK(contrast.values[i] == limited(factor * from.values[i] + (1 - factor) * mean));
      CHECK(saturated.values[i] ==
            limited(factor * from.values[i] + (1 - factor) * gray.values[i % 20]));
    }
  }
  CHECK(applied(adjust_saturation{0.2}, gray).values == gray.values);
  CHECK(applied(color_jitter{}, from).values == from.values);
  color_jitter only_brightness;
  only_brightness.min_brightness_factor = only_brightness.max_brightness_factor = 0.5;
  CHECK(applied(only_brightness, from).values == applied(adjust_brightness{0.5}, from).values);
  color_jitter all{0.5, 0.5, 1.5, 1.5, 0.25, 0.25};
  std::map<std::vector<double>, int> orders;
  for (int index = 0; index < 300; ++index) ++orders[applied(all, from, index).values];
  CHECK(orders.size() >= 4);  // of six orders, some give the same
  CHECK(refusal(grayscale{}, {2, 5, 4}) == "works on images of one channel or three, these have 2");
}

TEST_CASE("images that are too large are refused") {
  constexpr auto large = std::int64_t{1} << 40;
  CHECK(refusal(resize{large, large}, {3, 5, 4}) != "");
  CHECK(refusal(resized_center_crop{1 << 20, 1 << 20, 4, 4}, {3, 5, 4}) != "");
  CHECK(refusal(pad{std::int64_t{1} << 61}, {3, 5, 4}) != "");
  CHECK(refusal(pad{large}, {3, 0, 0}) == "");
}

TEST_CASE("cutout blackens squares, also at the edges") {
  SampleValues white{{2, 9, 7}, std::vector<double>(126, 1), {}};
  std::vector<int> hit(63, 0);
  for (int index = 0; index < 500; ++index) {
    auto const cut = applied(cutout{1, 3}, white, index);
    for (std::size_t i = 0; i < 63; ++i) {
      CHECK(cut.values[i] == cut.values[63 + i]);
      hit[i] += cut.values[i] == 0;
    }
    auto const holes = std::count(cut.values.begin(), cut.values.end(), 0.0) / 2;
    CHECK(holes >= 4);
    CHECK(holes <= 9);
  }
  CHECK(std::ranges::min(hit) > 5);  // the last row and column, too
}

TEST_CASE("what is drawn depends on seed, epoch, sample and place in the list alone") {
  auto const from = image(3, 16, 16);
  Transform const crop = random_crop{8, 8};
  CHECK(applied(crop, from, 5, 2).values == applied(crop, from, 5, 2).values);
  int same_epoch = 0, same_sample = 0, same_place = 0;
  for (int i = 0; i < 100; ++i) {
    auto const first = applied(crop, from, i, 0).values;
    same_epoch += first == applied(crop, from, i, 1).values;
    same_sample += first == applied(crop, from, i + 1, 0).values;
    auto second = from;
    std::array<Transform, 2> const list = {scale{1}, crop};
    apply_transforms(list, second, test_key, 0, i);
    same_place += first == second.values;
  }
  // 81 places: one in 81 is the same by chance.
  CHECK(same_epoch < 8);
  CHECK(same_sample < 8);
  CHECK(same_place < 8);
}
