// A convolution of the tests: its operators and the shapes of their tensors.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "schemas/operators/winograd_shapes.hpp"
#include "tests/support/kernel_case.hpp"

namespace lbann::testing {

struct ConvolutionCase {
  using Sizes = std::vector<std::int64_t>;

  std::int64_t channels, filters, groups;
  Sizes extent, taps, stride, padding, dilation;

  operators::convolution forward() const { return {stride, padding, dilation, groups, {}, {}}; }
  operators::convolution_input_gradient input_gradient() const {
    return {stride, padding, dilation, groups, extent};
  }
  operators::convolution_kernel_gradient kernel_gradient() const {
    return {stride, padding, dilation, groups, taps};
  }

  Shape images() const { return of_channels({batch_extent, {channels}}, extent); }
  Shape kernel() const { return of_channels({{filters}, {channels / groups}}, taps); }
  Shape bias() const { return of_channels({{filters}}, Sizes(extent.size(), 1)); }
  Shape result(DataType type) const {
    auto const outputs =
        infer(Operator{forward()}, std::vector<TensorType>{{type, images()}, {type, kernel()}});
    REQUIRE_MESSAGE(outputs.good(), (outputs.good() ? "" : outputs.problem().message));
    return outputs.value()[0].shape;
  }
  /// Products that are added to an element of the result.
  std::int64_t terms() const { return kernel().elements(1) / filters; }

 private:
  static Shape of_channels(Shape shape, Sizes const& sizes) {
    for (auto size : sizes) shape.extents.push_back({size});
    return shape;
  }
};

/// Whether a convolution, or with `gradient` its input gradient, is computed by Winograd's
/// algorithm.
inline bool is_transformed(ConvolutionCase const& w, DataType type, bool gradient,
                           std::int64_t samples) {
  return type == DataType::f32 &&
         winograd_shapes(w.images(), w.kernel(), w.result(type), {w.stride, w.padding, w.dilation},
                         w.groups, gradient, samples);
}

/// Checks the convolution and its gradients for a mini-batch, epilogues included, and that the
/// kernels for CPUs are content with the scratch memory that plans give them.
inline void check_convolution(ConvolutionCase const& w, DataType type, std::int64_t samples) {
  auto const seed = static_cast<unsigned>(samples);
  auto const y = w.result(type);
  auto const check = [&](Operator const& op, TensorTypes inputs, unsigned fill, double tolerance) {
    KernelCase call(op, std::move(inputs), samples);
    call.fill(fill).check(tolerance);
    if (family() == "host") CHECK(call.accepts(*implementation_of(op, "host")));
  };
  // Errors of transformed sums are three to four times as large (docs/decisions/winograd.md).
  auto const factor = [&](bool gradient) {
    return is_transformed(w, type, gradient, samples) ? 4.0 : 1.0;
  };
  TensorTypes inputs = {{type, w.images()}, {type, w.kernel()}};
  auto op = w.forward();
  auto const tolerance = factor(false) * rounding(type, w.terms());
  check(op, inputs, seed, tolerance);
  inputs.push_back({type, w.bias()});
  op.epilogue = *parse_expression("(maximum(add(i0, i1), 0))");
  op.types = {type};
  check(op, inputs, 3, tolerance);
  // No output of the product's type: it lies in scratch.
  op.types = {type == DataType::f32 ? DataType::f64 : DataType::f32};
  check(op, inputs, 4, std::max(tolerance, rounding(DataType::f32, w.terms())));
  check(w.input_gradient(), {{type, y}, {type, w.kernel()}}, seed + 1,
        factor(true) * rounding(type, w.kernel().elements(1) / w.groups));
  check(w.kernel_gradient(), {{type, w.images()}, {type, y}}, seed + 2,
        rounding(type, y.elements(samples) / w.filters));
}

}  // namespace lbann::testing
