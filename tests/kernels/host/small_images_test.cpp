// Convolutions of images smaller than registers, with the samples innermost: partial registers of
// samples, rows that fill no tile, windows that hang over every edge.
#include "tests/kernels/host/convolution_case.hpp"

using namespace lbann;
using testing::ConvolutionCase;
using testing::KernelCase;

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

TEST_CASE("convolution of small images: forward and with an epilogue") {
  for (auto type : testing::floating_types)
    for (auto const& w : small_images)
      for (auto samples : sample_counts) {
        auto op = w.forward();
        TensorTypes inputs = {{type, w.images()}, {type, w.kernel()}};
        auto const tolerance = testing::rounding(type, w.terms());
        KernelCase(op, inputs, samples).fill(static_cast<unsigned>(samples)).check(tolerance);
        inputs.push_back({type, w.bias()});
        op.epilogue = *parse_expression("(maximum(add(i0, i1), 0))");
        op.types = {type};
        KernelCase(op, inputs, samples).fill(3).check(tolerance);
        // No output of the product's type: it lies in scratch.
        op.types = {type == DataType::f32 ? DataType::f64 : DataType::f32};
        KernelCase(op, inputs, samples).fill(4).check(testing::rounding(DataType::f32, w.terms()));
      }
}

TEST_CASE("convolution of small images: gradient of the data") {
  for (auto type : testing::floating_types)
    for (auto const& w : small_images)
      for (auto samples : sample_counts)
        KernelCase(w.input_gradient(), {{type, w.result(type)}, {type, w.kernel()}}, samples)
            .fill(static_cast<unsigned>(samples) + 1)
            .check(testing::rounding(type, w.kernel().elements(1) / w.groups));
}

TEST_CASE("convolution of small images: gradient of the kernel") {
  for (auto type : testing::floating_types)
    for (auto const& w : small_images)
      for (auto samples : sample_counts) {
        auto const y = w.result(type);
        KernelCase(w.kernel_gradient(), {{type, w.images()}, {type, y}}, samples)
            .fill(static_cast<unsigned>(samples) + 2)
            .check(testing::rounding(type, y.elements(samples) / w.filters));
      }
}

TEST_CASE("convolution of small images: the kernel for CPUs has the memory it needs") {
  if (testing::family() != "host") return;
  for (auto const& w : small_images)
    for (auto samples : sample_counts) {
      auto const type = DataType::f32;
      KernelCase forward(w.forward(), {{type, w.images()}, {type, w.kernel()}}, samples);
      CHECK(forward.accepts(*testing::implementation_of(Operator{w.forward()}, "host")));
      Operator const gradient = w.input_gradient();
      KernelCase back(gradient, {{type, w.result(type)}, {type, w.kernel()}}, samples);
      CHECK(back.accepts(*testing::implementation_of(gradient, "host")));
      Operator const weights = w.kernel_gradient();
      KernelCase learn(weights, {{type, w.images()}, {type, w.result(type)}}, samples);
      CHECK(learn.accepts(*testing::implementation_of(weights, "host")));
    }
}
