// A convolution of the tests: its operators and the shapes of their tensors.
#pragma once

#include <doctest/doctest.h>

#include <vector>

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

}  // namespace lbann::testing
