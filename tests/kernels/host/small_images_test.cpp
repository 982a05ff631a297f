// Convolutions of images smaller than registers, with the samples innermost: partial registers of
// samples, rows that fill no tile, windows that hang over every edge.
#include "tests/kernels/host/convolution_case.hpp"

using namespace lbann;
using testing::ConvolutionCase;

namespace {

std::vector<ConvolutionCase> const small_images = {
    {16, 8, 1, {1, 1}, {3, 3}, {1, 1}, {1, 1}, {1, 1}},
    {9, 24, 1, {2, 2}, {3, 3}, {1, 1}, {1, 1}, {1, 1}},
    {20, 13, 1, {4, 4}, {3, 3}, {1, 1}, {1, 1}, {1, 1}},
    {8, 33, 1, {5, 3}, {3, 2}, {2, 1}, {1, 0}, {1, 1}},
    {24, 16, 2, {7, 7}, {3, 3}, {1, 1}, {1, 1}, {1, 1}},
    {40, 48, 1, {8, 8}, {1, 1}, {2, 2}, {0, 0}, {1, 1}},
    {17, 18, 1, {6, 5}, {3, 3}, {3, 2}, {2, 2}, {2, 1}},
    {8, 8, 1, {2, 3, 4}, {3, 1, 3}, {1, 1, 2}, {1, 0, 1}, {1, 1, 1}},
    {50, 20, 1, {14, 9}, {3, 3}, {1, 1}, {1, 1}, {1, 1}},
    {10, 12, 1, {30}, {5}, {2}, {2}, {2}},
    {8, 9, 1, {2, 2}, {1, 1}, {3, 3}, {0, 0}, {1, 1}},
    // Fewer rows than a tile has, where most of what windows see is padding: of larger images, too.
    {6, 16, 1, {12, 12}, {5, 5}, {1, 1}, {0, 0}, {1, 1}},
    {10, 10, 2, {9, 12}, {5, 5}, {1, 1}, {4, 4}, {1, 1}},
    {12, 7, 1, {3, 5}, {3, 3}, {1, 1}, {2, 2}, {1, 1}},
    {4, 9, 1, {15, 15}, {5, 3}, {2, 1}, {0, 0}, {1, 2}},
    // A kernel that is too large for a gradient in this way.
    {520, 512, 1, {1, 1}, {1, 1}, {1, 1}, {0, 0}, {1, 1}},
    // Channels in several blocks of a quarter of a megabyte.
    {150, 8, 1, {6, 6}, {3, 3}, {1, 1}, {0, 0}, {1, 1}},
    // The same, where the last tile begins in the one before: forward, and for the data.
    {150, 26, 1, {6, 6}, {3, 3}, {1, 1}, {1, 1}, {1, 1}},
    {26, 150, 1, {6, 6}, {3, 3}, {1, 1}, {1, 1}, {1, 1}},
};

/// Of one register, two, three, and of several blocks of registers; none of them is full.
constexpr std::int64_t sample_counts[] = {8, 17, 33, 97};

}  // namespace

TEST_CASE("convolution of small images, and its gradients") {
  for (auto const& w : small_images) {
    for (auto samples : sample_counts) testing::check_convolution(w, DataType::f32, samples);
    for (auto samples : {8, 33}) testing::check_convolution(w, DataType::f64, samples);
  }
}
