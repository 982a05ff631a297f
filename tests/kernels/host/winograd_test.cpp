// Convolutions with 3 x 3 taps by Winograd's algorithm: tiles that hang over every edge, rows of
// tiles that begin in one block of columns and end in the next, either factor transformed first.
#include <cmath>
#include <utility>

#include "tests/kernels/host/convolution_case.hpp"

using namespace lbann;
using testing::ConvolutionCase;
using testing::KernelCase;

namespace {

struct TransformedCase {
  ConvolutionCase convolution;
  std::vector<std::int64_t> samples;
};

std::vector<TransformedCase> const transformed = {
    {{32, 32, 1, {16, 16}, {3, 3}, {1, 1}, {1, 1}, {1, 1}}, {1, 2, 5}},
    // Rows that fill no panel, channels in several blocks.
    {{33, 35, 1, {11, 12}, {3, 3}, {1, 1}, {1, 1}, {1, 1}}, {2, 17}},
    {{230, 37, 1, {7, 7}, {3, 3}, {1, 1}, {1, 1}, {1, 1}}, {5}},
    // Fewer tiles than rows.
    {{36, 200, 1, {8, 7}, {3, 3}, {1, 1}, {1, 1}, {1, 1}}, {4, 9}},
    {{130, 135, 1, {14, 14}, {3, 3}, {1, 1}, {1, 1}, {1, 1}}, {1, 3}},
    // More padding than taps, and none; along the two axes different.
    {{34, 33, 1, {9, 13}, {3, 3}, {1, 1}, {0, 3}, {1, 1}}, {3}},
    {{33, 34, 1, {19, 10}, {3, 3}, {1, 1}, {2, 0}, {1, 1}}, {3}},
    // A row of more tiles than a block has, and planes of one entry.
    {{32, 33, 1, {4, 215}, {3, 3}, {1, 1}, {1, 1}, {1, 1}}, {1, 2}},
    {{32, 32, 1, {1, 15, 16}, {1, 3, 3}, {1, 1, 1}, {0, 1, 1}, {1, 1, 1}}, {2}},
};

double root_mean_square(testing::Values const& values) {
  double sum = 0;
  for (auto const value : values) sum += value * value;
  return std::sqrt(sum / static_cast<double>(values.size()));
}

}  // namespace

TEST_CASE("convolution by Winograd's algorithm, and its input gradient") {
  for (auto const& [w, counts] : transformed)
    for (auto const samples : counts) {
      REQUIRE(testing::is_transformed(w, DataType::f32, false, samples));
      REQUIRE(testing::is_transformed(w, DataType::f32, true, samples));
      testing::check_convolution(w, DataType::f32, samples);
    }
}

TEST_CASE("kernel gradients by Winograd's algorithm in parts, the last one smaller") {
  ConvolutionCase const w{33, 32, 1, {20, 19}, {3, 3}, {1, 1}, {1, 1}, {1, 1}};
  for (auto const& [samples, parts] : {std::pair{17, 1}, {18, 2}, {37, 4}}) {
    auto const shapes = winograd_shapes(w.images(), w.kernel(), w.result(DataType::f32),
                                        {w.stride, w.padding, w.dilation}, 1, false, samples);
    REQUIRE(shapes);
    CHECK(shapes->gradient_parts() == parts);
    testing::check_convolution(w, DataType::f32, samples);
  }
}

TEST_CASE("convolution by Winograd's algorithm: errors of f32 against sums in f64") {
  ConvolutionCase const w{64, 64, 1, {28, 28}, {3, 3}, {1, 1}, {1, 1}, {1, 1}};
  constexpr std::int64_t samples = 2;
  auto const error_of = [&](Operator const& op, bool of_kernel_gradient, bool of_images) {
    auto const results = [&](DataType type, std::string_view family) {
      auto const first = of_images ? w.images() : w.result(type);
      auto const second = of_kernel_gradient ? w.result(type) : w.kernel();
      KernelCase call(op, {{type, first}, {type, second}}, samples);
      call.fill(7);
      for (std::size_t i = 0; i < 2; ++i)  // f64 numbers that f32 holds
        for (auto& value : call.input(i)) value = static_cast<float>(value);
      return call.run(*testing::implementation_of(op, family))[0];
    };
    auto const expected = results(DataType::f64, "reference");
    auto errors = results(DataType::f32, testing::family());
    for (std::size_t i = 0; i < errors.size(); ++i) errors[i] -= expected[i];
    return root_mean_square(errors) / root_mean_square(expected);
  };
  REQUIRE(testing::is_transformed(w, DataType::f32, false, samples));
  // Those of direct sums are a third of these (docs/decisions/winograd.md).
  CHECK(error_of(w.forward(), false, true) < 1e-6);
  CHECK(error_of(w.input_gradient(), false, false) < 1e-6);
  CHECK(error_of(w.kernel_gradient(), true, true) < 1e-6);
}
