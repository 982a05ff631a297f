// Where Winograd's algorithm is used, and how much scratch memory it takes.
#include "schemas/operators/winograd_shapes.hpp"

#include <doctest/doctest.h>

using namespace lbann;

namespace {

Shape images(std::int64_t channels, std::vector<std::int64_t> const& extents) {
  Shape shape{batch_extent, {channels, false}};
  for (auto const extent : extents) shape.extents.push_back({extent, false});
  return shape;
}

/// Of 32 to 64 channels, with a padding of 1 entry.
bool applies(std::vector<std::int64_t> const& taps, std::int64_t stride, std::int64_t dilation,
             std::int64_t groups) {
  std::vector<std::int64_t> const extents(taps.size(), 16), strides(taps.size(), stride),
      paddings(taps.size(), 1), dilations(taps.size(), dilation);
  Shape kernel{{64, false}, {32, false}};
  for (auto const tap : taps) kernel.extents.push_back({tap, false});
  return winograd_shapes(images(32, extents), kernel, images(64, extents),
                         {strides, paddings, dilations}, groups, false, 8)
      .has_value();
}

}  // namespace

TEST_CASE("Winograd's algorithm: 3 x 3 taps of stride 1") {
  CHECK(applies({3, 3}, 1, 1, 1));
  CHECK_FALSE(applies({3, 3}, 2, 1, 1));
  CHECK_FALSE(applies({3, 3}, 1, 2, 1));
  CHECK_FALSE(applies({3, 3}, 1, 1, 2));
  CHECK_FALSE(applies({3, 5}, 1, 1, 1));
  CHECK_FALSE(applies({3}, 1, 1, 1));
  CHECK_FALSE(applies({3, 3, 3}, 1, 1, 1));
  CHECK_FALSE(applies({1, 3, 3}, 1, 1, 1));  // of 16 planes
}

TEST_CASE("Winograd's algorithm: channels, tiles and images") {
  auto const suit = [](std::int64_t samples, std::int64_t rows, std::int64_t depth,
                       std::int64_t height, std::int64_t width) {
    return WinogradShapes{samples, rows, depth, height, width}.suit();
  };
  CHECK(suit(1, 32, 32, 16, 16));
  CHECK_FALSE(suit(1, 31, 32, 16, 16));
  CHECK_FALSE(suit(1, 32, 31, 16, 16));
  CHECK_FALSE(suit(1, 32, 32, 12, 16));  // 12 tiles
  CHECK(suit(8, 64, 64, 7, 7));
  CHECK(suit(16, 64, 64, 4, 4));
  CHECK_FALSE(suit(16, 64, 64, 5, 5));  // four tiles of which three are nearly empty
  CHECK_FALSE(suit(100, 64, 64, 2, 2));
}

TEST_CASE("Winograd's algorithm: more samples never need less scratch memory") {
  for (std::int64_t const rows : {32, 100, 512})
    for (std::int64_t const threads : {1, 2, 64})
      for (std::int64_t samples = 1; samples < 80; ++samples) {
        WinogradShapes const fewer{samples, rows, 64, 14, 13}, more{samples + 1, rows, 64, 14, 13};
        CHECK(fewer.scratch_elements(threads) <= more.scratch_elements(threads));
        CHECK(fewer.gradient_scratch_elements(threads) <= more.gradient_scratch_elements(threads));
      }
}

TEST_CASE("Winograd's algorithm: parts of the kernel's gradient") {
  // Those of ResNet-50 with 8 images.
  auto const parts = [](std::int64_t channels, std::int64_t extent) {
    return WinogradShapes{8, channels, channels, extent, extent}.gradient_parts();
  };
  CHECK(parts(64, 56) == 8);
  CHECK(parts(128, 28) == 4);
  CHECK(parts(256, 14) == 2);
  CHECK(parts(512, 7) == 1);
  for (std::int64_t const channels : {32, 100, 512})
    for (std::int64_t samples = 1; samples < 200; ++samples) {
      WinogradShapes const fewer{samples, channels, 64, 14, 13},
          more{samples + 1, channels, 64, 14, 13};
      CHECK(fewer.gradient_parts() <= more.gradient_parts());
      // No part is empty, and a part's tiles are transformed in turns of about equal size.
      CHECK((fewer.gradient_parts() - 1) * fewer.part_tiles() < fewer.tiles());
      CHECK(fewer.gradient_tiles() <= fewer.part_tiles());
      // Sums of all parts are about half of what is transformed, or less.
      if (fewer.gradient_parts() > 1)
        CHECK(10 * fewer.gradient_parts() * 9 * channels * 64 <
              6 * fewer.tiles() * WinogradShapes::points * (channels + 64));
    }
}
