// Tests of layers with weights: fully_connected, convolution, weights_layer.
#include <doctest/doctest.h>

#include "tests/compiler/layers/layer_case.hpp"

namespace lbann::compiler {
namespace {

using Codes = std::vector<std::string>;

}  // namespace

TEST_CASE("fully_connected") {
  auto const with_bias = run_layer("fully_connected {num_neurons: 3}", {{2, 5}});
  CHECK(with_bias.outputs == std::vector<Dims>{{3}});
  CHECK(with_bias.weights ==
        "l_linearity_weights: [3, 10] initializer he_normal_initializer fans 10, 3\n"
        "l_bias_weights: [3] initializer constant_initializer\n");
  CHECK(with_bias.train ==
        "l/reshape = reshape(x0) {shape: [batch, 10]}\n"
        "l/matmul = matmul(l/reshape, l_linearity_weights) {transpose_b: true}\n"
        "l.0 = map(l/matmul, l_bias_weights) {expression: (add(i0, i1)), shape: [batch, 3], "
        "types: [f32]}\n");
  auto const bare = run_layer("fully_connected {num_neurons: 3, has_bias: false, transpose: true}",
                              {{4}}, 1, DataType::f64);
  CHECK(bare.weights ==
        "l_linearity_weights: [4, 3] initializer he_normal_initializer fans 4, 3\n");
  CHECK(bare.train == "l.0 = matmul(x0, l_linearity_weights)\n");
  auto const huge =
      run_layer("fully_connected {num_neurons: 4611686018427387904}", {{1 << 20, 1 << 20}});
  CHECK(huge.codes == Codes{"number-too-large"});
  auto const wide = run_layer("fully_connected {num_neurons: 1}", {{1 << 21, 1 << 21}});
  CHECK(wide.codes == Codes{"number-too-large"});
  auto const square =
      run_layer("fully_connected {num_neurons: 1099511627776}", {{1 << 20, 1 << 20}});
  CHECK(square.codes == Codes{"number-too-large"});
}

TEST_CASE("convolution") {
  auto const plain = run_layer("convolution {out_channels: 6, kernel_size: [5]}", {{1, 28, 28}});
  CHECK(plain.outputs == std::vector<Dims>{{6, 24, 24}});
  CHECK(plain.weights ==
        "l_kernel: [6, 1, 5, 5] initializer he_normal_initializer fans 25, 150\n"
        "l_bias: [6] initializer constant_initializer\n");
  CHECK(plain.train ==
        "l/convolution = convolution(x0, l_kernel) {stride: [1, 1], padding: [0, 0], dilation: "
        "[1, 1]}\n"
        "l/reshape = reshape(l_bias) {shape: [6, 1, 1]}\n"
        "l.0 = map(l/convolution, l/reshape) {expression: (add(i0, i1)), shape: [batch, 6, 24, "
        "24], types: [f32]}\n");
  auto const bent = run_layer(
      "convolution {num_dims: 2, out_channels: 4, kernel_size: [3, 2], stride: [2, 1], padding: "
      "[1, 0], dilation: [1, 3], groups: 2, has_bias: false}",
      {{6, 7, 9}});
  CHECK(bent.outputs == std::vector<Dims>{{4, 4, 6}});
  CHECK(bent.weights == "l_kernel: [4, 3, 3, 2] initializer he_normal_initializer fans 18, 12\n");
  CHECK(run_layer("convolution {out_channels: 2, kernel_size: [3]}", {{1, 8}}).outputs ==
        std::vector<Dims>{{2, 6}});
  CHECK(run_layer("convolution {out_channels: 2, kernel_size: [3]}", {{1, 4, 5, 6}}).outputs ==
        std::vector<Dims>{{2, 2, 3, 4}});
}

TEST_CASE("convolution complains") {
  auto codes = [](std::string_view fields, Dims dims) {
    return run_layer("convolution {out_channels: 4, kernel_size: [5]" + std::string(fields) + "}",
                     {dims})
        .codes;
  };
  CHECK(codes("", {1, 4, 4}) == Codes{"window-too-large"});
  CHECK(codes(", padding: [1]", {1, 3, 3}) == Codes{});
  CHECK(codes("", {16}) == Codes{"not-an-image"});
  CHECK(codes("", {1, 2, 3, 4, 5}) == Codes{"not-an-image"});
  CHECK(codes(", num_dims: 3", {1, 8, 8}) == Codes{"num-dims-clash"});
  CHECK(codes(", groups: 3", {3, 8, 8}) == Codes{"groups-do-not-divide"});
  CHECK(codes(", stride: [1, 1, 1]", {1, 8, 8}) == Codes{"list-length"});
  CHECK(codes(", dilation: [9223372036854775807]", {1, 8, 8}) == Codes{"number-too-large"});
  CHECK(run_layer("convolution {out_channels: 4611686018427387904, kernel_size: [5]}", {{1, 8, 8}})
            .codes == Codes{"number-too-large"});
  CHECK(run_layer("convolution {out_channels: 1000000000000, kernel_size: [1000, 1000]}",
                  {{1000000, 1000, 1000}})
            .codes == Codes{"number-too-large"});
  auto const chain = run_layer("convolution {out_channels: 4, kernel_size: [5]}", {{1, 4, 4}});
  CHECK(chain.messages[0] ==
        "the window of `l` reaches over 5 entries, but the padded input has 4 (input [1, 4, 4])");
}

TEST_CASE("weights_layer") {
  auto const weights = run_layer("weights_layer {dims: [2, 3]}", {});
  CHECK(weights.outputs == std::vector<Dims>{{2, 3}});
  CHECK(weights.weights == "l_weights: [2, 3] initializer constant_initializer\n");
  CHECK(weights.train ==
        "l.0 = map(l_weights) {expression: (i0), shape: [batch, 2, 3], types: [f32]}\n");
}

}  // namespace lbann::compiler
