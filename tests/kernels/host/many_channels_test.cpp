// Convolutions of many channels, as products of packed kernels and blocks of an im2col matrix:
// images whose positions fill no register, samples that begin within one, blocks of channels and of
// rows.
#include "tests/kernels/host/convolution_case.hpp"

using namespace lbann;
using testing::ConvolutionCase;

namespace {

std::vector<ConvolutionCase> const many_channels = {
    {33, 35, 1, {9, 11}, {3, 3}, {1, 1}, {1, 1}, {1, 1}},
    {40, 32, 1, {7, 7}, {1, 1}, {1, 1}, {0, 0}, {1, 1}},
    {32, 44, 1, {13, 13}, {3, 3}, {2, 2}, {1, 1}, {1, 1}},
    {34, 37, 1, {12, 9}, {2, 3}, {3, 4}, {1, 0}, {1, 1}},
    {64, 68, 2, {6, 5}, {3, 3}, {1, 1}, {2, 2}, {2, 1}},
    {35, 33, 1, {8, 10}, {3, 2}, {1, 1}, {0, 0}, {1, 3}},
    {36, 40, 1, {29}, {5}, {2}, {3}, {1}},
    {32, 36, 1, {4, 5, 6}, {2, 3, 1}, {1, 1, 1}, {1, 1, 0}, {1, 1, 1}},
    {32, 33, 1, {5, 6, 8}, {2, 2, 3}, {1, 2, 2}, {0, 1, 1}, {1, 1, 1}},
    {33, 33, 1, {11, 9}, {1, 1}, {2, 2}, {0, 0}, {1, 1}},
    {3, 34, 1, {13, 15}, {5, 5}, {2, 2}, {2, 2}, {1, 1}},
    // Channels and rows in several blocks.
    {430, 35, 1, {5, 4}, {1, 1}, {1, 1}, {0, 0}, {1, 1}},
    {32, 270, 1, {4, 5}, {2, 1}, {1, 1}, {1, 0}, {1, 1}},
};

/// Of so many positions that each sample begins with a register of its own.
std::vector<ConvolutionCase> const large_images = {
    {33, 35, 1, {23, 25}, {1, 1}, {1, 1}, {0, 0}, {1, 1}},
    {32, 34, 1, {45, 47}, {2, 3}, {2, 2}, {1, 1}, {1, 1}},
    {36, 33, 1, {23, 24}, {3, 2}, {1, 1}, {1, 1}, {1, 1}},
    {34, 32, 1, {9, 8, 10}, {1, 3, 1}, {1, 1, 1}, {0, 1, 0}, {1, 1, 1}},
};

/// Too large to be laid out at once for the gradient of the kernel: in bands of rows or planes, the
/// last one of which is short.
std::vector<ConvolutionCase> const bands = {
    {60, 4, 1, {65, 70}, {3, 3}, {1, 1}, {1, 1}, {1, 1}},
    {72, 5, 1, {131, 60}, {5, 1}, {2, 1}, {1, 0}, {1, 1}},
    {50, 5, 1, {83, 84}, {1, 1}, {1, 1}, {0, 0}, {1, 1}},
    {48, 4, 1, {13, 20, 22}, {2, 2, 2}, {1, 1, 1}, {1, 1, 0}, {2, 1, 1}},
    {48, 9, 1, {9300}, {3}, {1}, {1}, {1}},
};

}  // namespace

TEST_CASE("convolution of many channels, and its gradients") {
  for (auto type : testing::floating_types)
    for (auto const& w : many_channels)
      for (auto samples : {0, 1, 2, 17}) testing::check_convolution(w, type, samples);
}

TEST_CASE("convolution of many channels and positions, and its gradients") {
  for (auto type : testing::floating_types)
    for (auto const& w : large_images)
      for (auto samples : {1, 2}) testing::check_convolution(w, type, samples);
}

TEST_CASE("convolution: gradient of the kernel in bands of images") {
  for (auto const& w : bands)
    for (auto samples : {1, 2}) {
      auto const type = DataType::f32;
      auto const y = w.result(type);
      testing::KernelCase(w.kernel_gradient(), {{type, w.images()}, {type, y}}, samples)
          .fill(static_cast<unsigned>(samples))
          .check(testing::rounding(type, y.elements(samples) / w.filters));
    }
}
