// Where factors of 16 bits are converted to f32.
#include "schemas/operators/widened_factors.hpp"

#include <doctest/doctest.h>

using namespace lbann;

namespace {

/// Of a convolution of images of `extent` squared, with stride 1 and as many positions.
bool widens(DataType type, std::int64_t channels, std::int64_t filters, std::int64_t extent,
            std::int64_t taps, ConvolutionPart part, std::int64_t groups = 1, Extent batch = {8}) {
  std::vector<std::int64_t> const one = {1, 1}, padding = {taps / 2, taps / 2};
  Shape const x{batch, {channels}, {extent}, {extent}}, y{batch, {filters}, {extent}, {extent}},
      kernel{{filters}, {channels / groups}, {taps}, {taps}};
  return widens_factors(type, {x, kernel, y, {one, padding, one}, groups}, part);
}

constexpr ConvolutionPart parts[] = {ConvolutionPart::output, ConvolutionPart::input_gradient,
                                     ConvolutionPart::kernel_gradient};

}  // namespace

TEST_CASE("f16 is converted always, f32 never") {
  for (auto const part : parts) {
    CHECK(widens(DataType::f16, 64, 64, 56, 3, part));
    CHECK_FALSE(widens(DataType::f32, 1, 6, 24, 5, part));
    CHECK_FALSE(widens(DataType::f64, 1, 6, 24, 5, part));
  }
  CHECK(widens_factors(DataType::f16));
  CHECK_FALSE(widens_factors(DataType::bf16));
  CHECK_FALSE(widens_factors(DataType::f32));
}

TEST_CASE("bf16 is converted for convolutions of few channels and of small images") {
  for (auto const part : parts) {
    // Of LeNet; depthwise.
    CHECK(widens(DataType::bf16, 1, 6, 24, 5, part));
    CHECK(widens(DataType::bf16, 32, 32, 28, 3, part, 32));
    // Of ResNet-50.
    for (auto const& [channels, filters, extent, taps] :
         {std::tuple{64, 64, 56, 1}, {64, 64, 56, 3}, {256, 256, 14, 3}, {512, 2048, 7, 1}})
      CHECK_FALSE(widens(DataType::bf16, channels, filters, extent, taps, part));
  }
  // Of ResNet-18 for images of 32 x 32.
  CHECK(widens(DataType::bf16, 512, 512, 1, 3, ConvolutionPart::output));
  CHECK(widens(DataType::bf16, 256, 256, 2, 3, ConvolutionPart::output));
}

TEST_CASE("whether factors are converted does not depend on the mini-batch") {
  for (auto const part : parts)
    for (std::int64_t const extent : {2, 4, 8, 16})
      for (Extent const batch : {Extent{0}, Extent{1}, Extent{1000}})
        CHECK(widens(DataType::bf16, 128, 128, extent, 3, part, 1, batch) ==
              widens(DataType::bf16, 128, 128, extent, 3, part, 1, batch_extent));
}

TEST_CASE("what Winograd's algorithm computes in f32 may be converted on machines without AMX") {
  std::vector<std::int64_t> const one = {1, 1};
  Shape const x{batch_extent, {64}, {28}, {28}}, y{batch_extent, {32}, {28}, {28}};
  for (auto const part : parts) {
    CHECK(transforms_widened({x, Shape{{32}, {64}, {3}, {3}}, y, {one, one, one}, 1}, part, 4));
    CHECK_FALSE(
        transforms_widened({x, Shape{{32}, {64}, {5}, {5}}, y, {one, one, one}, 1}, part, 4));
    // Then there is scratch memory for either way.
    CHECK_FALSE(widens(DataType::bf16, 64, 32, 28, 3, part));
  }
}
