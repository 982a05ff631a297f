// convolution and its gradients: one to three axes, every step, groups, epilogues.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tests/kernels/host/convolution_case.hpp"

using namespace lbann;
using testing::ConvolutionCase;
using testing::KernelCase;

namespace {

std::vector<ConvolutionCase> const convolutions = {
    {1, 6, 1, {28, 28}, {5, 5}, {1, 1}, {0, 0}, {1, 1}},
    {6, 16, 1, {12, 12}, {5, 5}, {1, 1}, {0, 0}, {1, 1}},
    {3, 5, 1, {7, 9}, {3, 3}, {1, 1}, {1, 1}, {1, 1}},
    {4, 8, 1, {9, 8}, {3, 3}, {2, 2}, {1, 1}, {1, 1}},
    {4, 6, 2, {8, 11}, {3, 2}, {2, 3}, {1, 0}, {2, 1}},
    {6, 6, 6, {6, 7}, {3, 3}, {1, 1}, {1, 1}, {1, 1}},
    {2, 4, 2, {5, 5}, {1, 1}, {3, 3}, {0, 0}, {1, 1}},
    {2, 3, 1, {6, 5}, {2, 2}, {1, 1}, {3, 4}, {1, 1}},
    {5, 20, 1, {10, 60}, {1, 1}, {1, 1}, {0, 0}, {1, 1}},
    {3, 2, 1, {40}, {4}, {2}, {3}, {3}},
    {16, 8, 1, {5, 5}, {3, 3}, {1, 1}, {1, 1}, {1, 1}},
    {16, 24, 2, {9, 10}, {3, 3}, {1, 2}, {1, 1}, {1, 1}},
    {12, 5, 1, {8, 9}, {3, 3}, {2, 1}, {2, 2}, {1, 2}},
    {10, 9, 1, {4, 5, 6}, {2, 3, 1}, {1, 2, 1}, {1, 1, 0}, {1, 1, 1}},
    {13, 6, 1, {14, 15}, {1, 1}, {1, 1}, {0, 0}, {1, 1}},
    {40, 3, 1, {96, 96}, {1, 1}, {1, 1}, {0, 0}, {1, 1}},
    {2, 7, 1, {5}, {5}, {1}, {0}, {1}},
    {2, 3, 1, {5, 6, 7}, {3, 2, 3}, {1, 1, 1}, {1, 0, 1}, {1, 1, 1}},
    {2, 4, 2, {9, 8, 7}, {2, 3, 1}, {4, 2, 2}, {0, 1, 0}, {3, 1, 1}},
    {64, 12, 1, {9, 8}, {1, 1}, {2, 2}, {0, 0}, {1, 1}},
    {128, 10, 2, {6, 7}, {1, 1}, {1, 1}, {0, 0}, {1, 1}},
    {64, 8, 1, {9, 9}, {3, 3}, {1, 1}, {2, 2}, {2, 2}},
    // Of single channels: more columns than registers have, every step, windows that are too large.
    {3, 3, 3, {5, 75}, {3, 3}, {1, 1}, {1, 1}, {1, 1}},
    {2, 2, 2, {9, 101}, {3, 3}, {2, 2}, {1, 1}, {1, 1}},
    {33, 33, 33, {7, 7}, {5, 5}, {1, 1}, {2, 2}, {1, 1}},
    {2, 2, 2, {12, 70}, {4, 2}, {2, 1}, {1, 0}, {1, 3}},
    {2, 2, 2, {11, 40}, {2, 5}, {1, 2}, {0, 3}, {1, 1}},
    {3, 3, 3, {13, 36}, {3, 3}, {1, 1}, {3, 2}, {3, 2}},
    {2, 2, 2, {8, 20}, {1, 1}, {2, 2}, {0, 0}, {1, 1}},
    {2, 2, 2, {6, 9}, {2, 2}, {1, 1}, {3, 4}, {1, 1}},
    {2, 2, 2, {9, 19}, {8, 3}, {1, 1}, {4, 1}, {1, 1}},
    {2, 2, 2, {9, 19}, {2, 3}, {3, 3}, {0, 1}, {1, 1}},
    {3, 3, 3, {40}, {3}, {2}, {1}, {1}},
    {2, 2, 2, {5, 6, 21}, {3, 2, 3}, {1, 1, 1}, {1, 0, 1}, {1, 1, 1}},
    {2, 2, 2, {6, 7, 20}, {2, 3, 3}, {2, 2, 2}, {0, 1, 1}, {1, 1, 1}},
    {2, 2, 2, {6, 5, 18}, {2, 3, 3}, {2, 1, 1}, {1, 1, 1}, {1, 1, 1}},
};

}  // namespace

TEST_CASE("convolution: windows of all kinds") {
  for (auto type : testing::floating_types)
    for (auto const& w : convolutions)
      for (auto samples : {0, 1, 2, 3, 17})
        KernelCase(w.forward(), {{type, w.images()}, {type, w.kernel()}}, samples)
            .fill(static_cast<unsigned>(samples))
            .check(testing::rounding(type, w.terms()));
}

TEST_CASE("convolution: gradient of the data") {
  for (auto type : testing::floating_types)
    for (auto const& w : convolutions)
      for (auto samples : {0, 1, 2, 3, 17})
        KernelCase(w.input_gradient(), {{type, w.result(type)}, {type, w.kernel()}}, samples)
            .fill(static_cast<unsigned>(samples) + 1)
            .check(testing::rounding(type, w.kernel().elements(1) / w.groups));
}

TEST_CASE("convolution: gradient of the kernel") {
  for (auto type : testing::floating_types)
    for (auto const& w : convolutions)
      for (auto samples : {0, 1, 2, 3, 17}) {
        auto const y = w.result(type);
        KernelCase(w.kernel_gradient(), {{type, w.images()}, {type, y}}, samples)
            .fill(static_cast<unsigned>(samples) + 2)
            .check(testing::rounding(type, y.elements(samples) / w.filters));
      }
}

TEST_CASE("convolution: kernels and batches too large for one chunk") {
  ConvolutionCase const wide{40, 70, 1, {30, 40}, {3, 2}, {1, 1}, {1, 1}, {1, 1}};
  auto const type = DataType::f32;
  auto const y = wide.result(type);
  KernelCase(wide.forward(), {{type, wide.images()}, {type, wide.kernel()}}, 9)
      .fill(1)
      .check(testing::rounding(type, wide.terms()));
  KernelCase(wide.kernel_gradient(), {{type, wide.images()}, {type, y}}, 9)
      .fill(1)
      .check(testing::rounding(type, 9 * 1200));
}

TEST_CASE("convolution: NaN and infinities stay in their windows") {
  for (std::int64_t stride : {1, 2}) {
    ConvolutionCase const w{2, 2, 2, {5, 37}, {3, 3}, {stride, stride}, {1, 1}, {1, 1}};
    auto const type = DataType::f32;
    auto const spoil = [](testing::Values& values) {
      values[values.size() / 2] = std::numeric_limits<double>::quiet_NaN();
      values.back() = std::numeric_limits<double>::infinity();
    };
    TensorType const x{type, w.images()}, k{type, w.kernel()}, y{type, w.result(type)};
    auto const check = [&](Operator op, TensorTypes inputs, std::size_t spoilt) {
      KernelCase call(std::move(op), std::move(inputs), 2);
      call.fill(9);
      spoil(call.input(spoilt));
      call.check(1e-4);
    };
    check(w.forward(), {x, k}, 0);
    check(w.input_gradient(), {y, k}, 0);
    check(w.kernel_gradient(), {x, y}, 0);
  }
}

TEST_CASE("convolution: epilogues") {
  for (auto type : testing::floating_types)
    for (auto const& w : convolutions)
      for (auto samples : {0, 1, 3}) {
        auto op = w.forward();
        TensorTypes const inputs = {{type, w.images()}, {type, w.kernel()}, {type, w.bias()}};
        auto const terms = w.terms();
        op.epilogue = *parse_expression("(maximum(add(i0, i1), 0))");
        op.types = {type};
        KernelCase(op, inputs, samples).fill(3).check(testing::rounding(type, terms));
        // No output of the product's type: it lies in scratch.
        op.types = {type == DataType::f32 ? DataType::f64 : DataType::f32};
        KernelCase(op, inputs, samples).fill(4).check(testing::rounding(DataType::f32, terms));
        // Outputs in place of operands: it cannot lie there.
        auto const y = w.result(type);
        op.epilogue = *parse_expression("(add(i1, i0))");
        op.types = {type};
        KernelCase(op, {inputs[0], inputs[1], {type, y}}, samples)
            .fill(5)
            .in_place(2, 0)
            .check(testing::rounding(type, terms));
      }
}
