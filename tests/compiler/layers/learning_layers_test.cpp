// Tests of layers with weights, of products, and of layers of a user's own.
#include <doctest/doctest.h>

#include "tests/compiler/layers/layer_case.hpp"
#include "tests/support/expected.hpp"

namespace lbann::compiler {
namespace {

using Codes = std::vector<std::string>;

}  // namespace

TEST_CASE("fully_connected") {
  auto const with_bias = run_layer("fully_connected {num_neurons: 3}", {{2, 5}});
  CHECK(with_bias.outputs == std::vector<Dims>{{3}});
  CHECK(tests::difference("tests/compiler/layers/learning_layers.expected",
                          "fully_connected with_bias weights", with_bias.weights) == "");
  CHECK(tests::difference("tests/compiler/layers/learning_layers.expected",
                          "fully_connected with_bias train", with_bias.train) == "");
  auto const bare = run_layer("fully_connected {num_neurons: 3, has_bias: false, transpose: true}",
                              {{4}}, 1, DataType::f64);
  CHECK(bare.weights ==
        "l_linearity_weights: [4, 3] initializer he_normal_initializer fans 4, 3 width 1\n");
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
  CHECK(tests::difference("tests/compiler/layers/learning_layers.expected",
                          "convolution plain weights", plain.weights) == "");
  CHECK(tests::difference("tests/compiler/layers/learning_layers.expected",
                          "convolution plain train", plain.train) == "");
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

TEST_CASE("deconvolution") {
  auto const plain = run_layer(
      "deconvolution {out_channels: 6, kernel_size: [4], stride: [2], "
      "padding: [1]}",
      {{3, 8, 5}});
  CHECK(plain.outputs == std::vector<Dims>{{6, 16, 10}});
  CHECK(tests::difference("tests/compiler/layers/learning_layers.expected",
                          "deconvolution plain weights", plain.weights) == "");
  CHECK(tests::difference("tests/compiler/layers/learning_layers.expected",
                          "deconvolution plain train", plain.train) == "");
  // (spatial - 1) stride + dilation (kernel - 1) + 1 - 2 padding + output padding.
  auto const bent = run_layer(
      "deconvolution {out_channels: 4, kernel_size: [2, 3], stride: [3, 2], padding: [0, 2], "
      "dilation: [1, 2], output_padding: [2, 1], groups: 2, has_bias: false}",
      {{6, 7, 9}});
  CHECK(bent.outputs == std::vector<Dims>{{4, 22, 18}});
  CHECK(bent.weights == "l_kernel: [6, 2, 2, 3] initializer he_normal_initializer fans 18, 12\n");
  CHECK(bent.messages.empty());
  CHECK(run_layer("deconvolution {out_channels: 2, kernel_size: [3]}", {{1, 8}}).outputs ==
        std::vector<Dims>{{2, 10}});
  CHECK(run_layer("deconvolution {out_channels: 2, kernel_size: [2], stride: [2]}", {{1, 4, 5, 6}})
            .outputs == std::vector<Dims>{{2, 8, 10, 12}});
  auto const codes = [](std::string_view fields, Dims dims) {
    return run_layer("deconvolution {out_channels: 4, kernel_size: [3]" + std::string(fields) + "}",
                     {dims})
        .codes;
  };
  CHECK(codes(", output_padding: [1]", {1, 4, 4}) == Codes{"output-padding-too-large"});
  CHECK(codes(", stride: [2], output_padding: [1, 1, 1]", {1, 4, 4}) == Codes{"list-length"});
  CHECK(codes(", padding: [3]", {1, 4, 4}) == Codes{"nothing-left"});
  CHECK(codes(", groups: 2", {3, 4, 4}) == Codes{"groups-do-not-divide"});
  CHECK(codes("", {16}) == Codes{"not-an-image"});
  CHECK(codes(", stride: [9223372036854775807]", {1, 8, 8}) == Codes{"number-too-large"});
  CHECK(codes(", stride: [1048576]", {1, 1 << 30, 8}) == Codes{"number-too-large"});
}

TEST_CASE("channelwise_fully_connected") {
  auto const plain =
      run_layer("channelwise_fully_connected {output_channel_dims: [2, 3]}", {{5, 4, 7}});
  CHECK(plain.outputs == std::vector<Dims>{{5, 2, 3}});
  CHECK(tests::difference("tests/compiler/layers/learning_layers.expected",
                          "channelwise_fully_connected plain weights", plain.weights) == "");
  CHECK(tests::difference("tests/compiler/layers/learning_layers.expected",
                          "channelwise_fully_connected plain train", plain.train) == "");
  auto const bare = run_layer(
      "channelwise_fully_connected {output_channel_dims: [3], bias: false, transpose: true}",
      {{5, 4}});
  CHECK(bare.weights ==
        "l_linearity_weights: [4, 3] initializer he_normal_initializer fans 4, 3 width 1\n");
  CHECK(run_layer("channelwise_fully_connected {output_channel_dims: [3]}", {{5}}).codes ==
        Codes{"input-axes"});
  CHECK(run_layer("channelwise_fully_connected {output_channel_dims: [1099511627776]}",
                  {{5, 1 << 30}})
            .codes == Codes{"number-too-large"});
}

TEST_CASE("gru") {
  auto const two = run_layer("gru {hidden_size: 4, num_layers: 2}", {{7, 3}, {2, 4}});
  CHECK(two.outputs == std::vector<Dims>{{7, 4}});
  CHECK(tests::difference("tests/compiler/layers/learning_layers.expected", "gru two weights",
                          two.weights) == "");
  CHECK(two.messages.empty());
  auto const one = run_layer("gru {hidden_size: 4}", {{7, 3}, {1, 4}});
  CHECK(tests::difference("tests/compiler/layers/learning_layers.expected", "gru one train",
                          one.train) == "");
  CHECK(run_layer("gru {hidden_size: 4}", {{7}, {1, 4}}).codes == Codes{"input-axes"});
  auto const unequal = run_layer("gru {hidden_size: 4}", {{7, 3}, {4}});
  CHECK(unequal.codes == Codes{"input-dims"});
  CHECK(unequal.messages[0] == "input 1 of `l` needs dims [1, 4], not [4]");
  CHECK(run_layer("gru {hidden_size: 1099511627776}", {{7, 3}, {1, 1099511627776}}).codes ==
        Codes{"number-too-large"});
}

TEST_CASE("lstm") {
  auto const two = run_layer("lstm {hidden_size: 4, num_layers: 2}", {{7, 3}, {2, 4}, {2, 4}});
  CHECK(two.outputs == std::vector<Dims>{{7, 4}});
  CHECK(tests::difference("tests/compiler/layers/learning_layers.expected", "lstm two weights",
                          two.weights) == "");
  CHECK(two.messages.empty());
  auto const one = run_layer("lstm {hidden_size: 4}", {{7, 3}});
  CHECK(one.outputs == std::vector<Dims>{{7, 4}});
  CHECK(tests::difference("tests/compiler/layers/learning_layers.expected", "lstm one train",
                          one.train) == "");
  CHECK(run_layer("lstm {hidden_size: 4, output_cells: true}", {{7, 3}}).outputs ==
        std::vector<Dims>{{7, 8}});
  CHECK(run_layer("lstm {hidden_size: 4}", {{7, 3}, {1, 4}}).messages ==
        std::vector<std::string>{"`l` takes 1 or 3 parents, not 2"});
  CHECK(run_layer("lstm {hidden_size: 4}", {{7}}).codes == Codes{"input-axes"});
  CHECK(run_layer("lstm {hidden_size: 4}", {{7, 3}, {1, 4}, {4}}).messages ==
        std::vector<std::string>{"input 2 of `l` needs dims [1, 4], not [4]"});
  CHECK(run_layer("lstm {hidden_size: 1099511627776}", {{7, 3}}).codes ==
        Codes{"number-too-large"});
}

TEST_CASE("matmul") {
  auto const flat = run_layer("matmul", {{2, 3}, {3, 5}});
  CHECK(flat.outputs == std::vector<Dims>{{2, 5}});
  CHECK(flat.train == "l.0 = batched_matmul(x0, x1)\n");
  auto const pairs =
      run_layer("matmul {transpose_a: true, transpose_b: true}", {{4, 3, 2}, {4, 5, 3}});
  CHECK(pairs.outputs == std::vector<Dims>{{4, 2, 5}});
  CHECK(pairs.train == "l.0 = batched_matmul(x0, x1) {transpose_a: true, transpose_b: true}\n");
  CHECK(run_layer("matmul", {{2, 3}, {2, 5}}).messages ==
        Codes{"`l` cannot multiply [2, 3] by [2, 5]: the inner extents 3 and 2 differ"});
  CHECK(run_layer("matmul", {{2, 3}, {1, 3, 5}}).codes == Codes{"matrices-do-not-fit"});
  CHECK(run_layer("matmul", {{2, 2, 3}, {1, 3, 5}}).codes == Codes{"matrices-do-not-fit"});
  CHECK(run_layer("matmul", {{2, 3}, {3}}).codes == Codes{"input-axes"});
}

TEST_CASE("external") {
  auto const same = run_layer("external {filename: \"l.so\", layer_name: \"twice\"}", {{2, 3}});
  CHECK(same.outputs == std::vector<Dims>{{2, 3}});
  CHECK(same.train ==
        "l.0 = external(x0) {filename: l.so, layer_name: twice, shape: [batch, 2, 3]}\n");
  auto const more = run_layer(
      "external {filename: \"l.so\", layer_name: \"f\", dims: [4], "
      "num_outputs: 2, differentiable: false}",
      {{2, 3}, {1}}, 2);
  CHECK(more.outputs == std::vector<Dims>{{4}, {4}});
  CHECK(more.train ==
        "l.0, l.1 = external(x0, x1) {filename: l.so, layer_name: f, shape: [batch, 4], "
        "outputs: 2, differentiable: false}\n");
}

TEST_CASE("weights_layer") {
  auto const weights = run_layer("weights_layer {dims: [2, 3]}", {});
  CHECK(weights.outputs == std::vector<Dims>{{2, 3}});
  CHECK(weights.weights == "l_weights: [2, 3] initializer constant_initializer\n");
  CHECK(weights.train ==
        "l.0 = map(l_weights) {expression: (i0), shape: [batch, 2, 3], types: [f32]}\n");
}

}  // namespace lbann::compiler
