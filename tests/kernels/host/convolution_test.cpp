// convolution and its gradients: one to three axes, every step, groups, epilogues.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tests/support/kernel_case.hpp"

using namespace lbann;
using testing::KernelCase;

namespace {

using Sizes = std::vector<std::int64_t>;

/// Channels, filters and windows of a convolution.
struct ConvolutionCase {
  std::int64_t channels, filters, groups;
  Sizes extent, taps, stride, padding, dilation;
};

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

Shape shape_of(std::int64_t channels, Sizes const& extent) {
  Shape shape{batch_extent, {channels}};
  for (auto size : extent) shape.extents.push_back({size});
  return shape;
}

Shape kernel_of(ConvolutionCase const& w) {
  Shape shape{{w.filters}, {w.channels / w.groups}};
  for (auto size : w.taps) shape.extents.push_back({size});
  return shape;
}

operators::convolution forward(ConvolutionCase const& w) {
  return {w.stride, w.padding, w.dilation, w.groups, {}, {}};
}

Shape result_of(ConvolutionCase const& w, DataType type) {
  auto const outputs =
      infer(Operator{forward(w)},
            std::vector<TensorType>{{type, shape_of(w.channels, w.extent)}, {type, kernel_of(w)}});
  REQUIRE_MESSAGE(outputs.good(), (outputs.good() ? "" : outputs.problem().message));
  return outputs.value()[0].shape;
}

}  // namespace

TEST_CASE("convolution: windows of all kinds") {
  for (auto type : testing::floating_types)
    for (auto const& w : convolutions)
      for (auto samples : {0, 1, 2, 3, 17})
        KernelCase(forward(w), {{type, shape_of(w.channels, w.extent)}, {type, kernel_of(w)}},
                   samples)
            .fill(static_cast<unsigned>(samples))
            .check(testing::rounding(type, kernel_of(w).elements(1) / w.filters));
}

TEST_CASE("convolution: gradient of the data") {
  for (auto type : testing::floating_types)
    for (auto const& w : convolutions)
      for (auto samples : {0, 1, 2, 3, 17})
        KernelCase(operators::convolution_input_gradient{w.stride, w.padding, w.dilation, w.groups,
                                                         w.extent},
                   {{type, result_of(w, type)}, {type, kernel_of(w)}}, samples)
            .fill(static_cast<unsigned>(samples) + 1)
            .check(testing::rounding(type, kernel_of(w).elements(1) / w.groups));
}

TEST_CASE("convolution: gradient of the kernel") {
  for (auto type : testing::floating_types)
    for (auto const& w : convolutions)
      for (auto samples : {0, 1, 2, 3, 17}) {
        auto const y = result_of(w, type);
        KernelCase(operators::convolution_kernel_gradient{w.stride, w.padding, w.dilation, w.groups,
                                                          w.taps},
                   {{type, shape_of(w.channels, w.extent)}, {type, y}}, samples)
            .fill(static_cast<unsigned>(samples) + 2)
            .check(testing::rounding(type, y.elements(samples) / w.filters));
      }
}

TEST_CASE("convolution: kernels and batches too large for one chunk") {
  ConvolutionCase const wide{40, 70, 1, {30, 40}, {3, 3}, {1, 1}, {1, 1}, {1, 1}};
  auto const type = DataType::f32;
  auto const y = result_of(wide, type);
  KernelCase(forward(wide), {{type, shape_of(40, wide.extent)}, {type, kernel_of(wide)}}, 9)
      .fill(1)
      .check(testing::rounding(type, 360));
  KernelCase(operators::convolution_kernel_gradient{wide.stride, wide.padding, wide.dilation, 1,
                                                    wide.taps},
             {{type, shape_of(40, wide.extent)}, {type, y}}, 9)
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
    TensorType const x{type, shape_of(2, w.extent)}, k{type, kernel_of(w)},
        y{type, result_of(w, type)};
    auto const check = [&](Operator op, TensorTypes inputs, std::size_t spoilt) {
      KernelCase call(std::move(op), std::move(inputs), 2);
      call.fill(9);
      spoil(call.input(spoilt));
      call.check(1e-4);
    };
    check(forward(w), {x, k}, 0);
    check(operators::convolution_input_gradient{w.stride, w.padding, w.dilation, 2, w.extent},
          {y, k}, 0);
    check(operators::convolution_kernel_gradient{w.stride, w.padding, w.dilation, 2, w.taps},
          {x, y}, 0);
  }
}

TEST_CASE("convolution: epilogues") {
  for (auto type : testing::floating_types)
    for (auto const& w : convolutions)
      for (auto samples : {0, 1, 3}) {
        Shape bias{{w.filters}};
        for (std::size_t i = 0; i < w.extent.size(); ++i) bias.extents.push_back({1});
        auto op = forward(w);
        TensorTypes const inputs = {
            {type, shape_of(w.channels, w.extent)}, {type, kernel_of(w)}, {type, bias}};
        auto const terms = kernel_of(w).elements(1) / w.filters;
        op.epilogue = *parse_expression("(maximum(add(i0, i1), 0))");
        op.types = {type};
        KernelCase(op, inputs, samples).fill(3).check(testing::rounding(type, terms));
        // No output of the product's type: it lies in scratch.
        op.types = {type == DataType::f32 ? DataType::f64 : DataType::f32};
        KernelCase(op, inputs, samples).fill(4).check(testing::rounding(DataType::f32, terms));
        // Outputs in place of operands: it cannot lie there.
        auto const y = result_of(w, type);
        op.epilogue = *parse_expression("(add(i1, i0))");
        op.types = {type};
        KernelCase(op, {inputs[0], inputs[1], {type, y}}, samples)
            .fill(5)
            .in_place(2, 0)
            .check(testing::rounding(type, terms));
      }
}
