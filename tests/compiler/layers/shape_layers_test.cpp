// Tests of layers that move entries or leave them where they are.
#include <doctest/doctest.h>

#include "tests/compiler/layers/layer_case.hpp"

namespace lbann::compiler {
namespace {

using Codes = std::vector<std::string>;

}  // namespace

TEST_CASE("layers that move nothing: input, identity, split, dummy") {
  auto const identity = run_layer("identity", {{2, 3}});
  CHECK(identity.outputs == std::vector<Dims>{{2, 3}});
  CHECK(identity.train == "");
  auto const split = run_layer("split", {{4}}, 3);
  CHECK(split.outputs == std::vector<Dims>{{4}, {4}, {4}});
  CHECK(split.train == "");
  CHECK(run_layer("dummy", {{4}}, 0).outputs.empty());
}

TEST_CASE("reshape") {
  auto dims = [](std::string_view dims) {
    return run_layer("reshape {dims: " + std::string(dims) + "}", {{2, 6}});
  };
  CHECK(dims("[3, 4]").outputs == std::vector<Dims>{{3, 4}});
  CHECK(dims("[3, 4]").train == "l.0 = reshape(x0) {shape: [batch, 3, 4]}\n");
  CHECK(dims("[3, -1]").outputs == std::vector<Dims>{{3, 4}});
  CHECK(dims("[-1]").outputs == std::vector<Dims>{{12}});
  for (auto const* wrong : {"[5]", "[5, -1]", "[-1, -1]", "[]", "[4611686018427387904, 4]"})
    CHECK(dims(wrong).codes == Codes{"reshape-size"});
}

TEST_CASE("concatenation") {
  auto const last = run_layer("concatenation {axis: -1}", {{2, 3}, {2, 1}, {2, 5}});
  CHECK(last.outputs == std::vector<Dims>{{2, 9}});
  CHECK(last.train == "l.0 = concatenate(x0, x1, x2) {axis: 2}\n");
  CHECK(run_layer("concatenation", {{2, 3}, {1, 3}}).outputs == std::vector<Dims>{{3, 3}});
  CHECK(run_layer("concatenation", {{2, 3}}).train == "");
  CHECK(run_layer("concatenation {axis: 2}", {{2, 3}, {2, 3}}).codes == Codes{"axis-out-of-range"});
  CHECK(run_layer("concatenation", {{2, 3}, {2, 4}}).codes == Codes{"cannot-concatenate"});
  CHECK(run_layer("concatenation", {{2, 3}, {6}}).codes == Codes{"cannot-concatenate"});
}

TEST_CASE("slice") {
  auto const middle = run_layer("slice {axis: 1, slice_points: [1, 3, 4, 6]}", {{2, 6}}, 2);
  CHECK(middle.outputs == std::vector<Dims>{{2, 2}, {2, 1}});
  CHECK(middle.train == "l.0, l.1 = slice(x0) {axis: 2, points: [1, 3, 4]}\n");
  auto codes = [](std::string_view fields, std::size_t children) {
    return run_layer("slice {" + std::string(fields) + "}", {{6, 2}}, children).codes;
  };
  CHECK(codes("slice_points: [0, 7]", 1) == Codes{"slice-point"});
  CHECK(codes("slice_points: [0, 3, 3]", 2) == Codes{"slice-point"});
  CHECK(codes("slice_points: [4, 2]", 1) == Codes{"slice-point"});
  CHECK(codes("axis: -3, slice_points: [0, 1]", 1) == Codes{"axis-out-of-range"});
  CHECK(codes("slice_points: [0, 3, 6]", 3) == Codes{"too-few-pieces"});
}

TEST_CASE("cross_grid_sum and cross_grid_sum_slice") {
  auto const total = run_layer("cross_grid_sum", {{2, 4}, {2, 4}}, 2);
  CHECK(total.outputs == std::vector<Dims>{{2, 4}, {2, 4}});
  CHECK(total.messages.empty());
  CHECK(run_layer("cross_grid_sum", {{2, 4}, {4, 2}}).codes == Codes{"unequal-inputs"});
  auto const pieces = run_layer("cross_grid_sum_slice", {{2, 4}, {2, 4}}, 2);
  CHECK(pieces.outputs == std::vector<Dims>{{2, 2}, {2, 2}});
  CHECK(pieces.train.find("slice(l/map) {axis: 2, points: [0, 2, 4]}") != std::string::npos);
  CHECK(run_layer("cross_grid_sum_slice", {{2, 3}, {2, 3}}, 2).codes == Codes{"input-dims"});
  CHECK(run_layer("cross_grid_sum_slice", {{2, 4}, {2, 4}}, 3).codes == Codes{"too-few-pieces"});
}

TEST_CASE("pooling") {
  auto const max = run_layer("pooling {pool_dims: [2]}", {{3, 5, 4}});
  CHECK(max.outputs == std::vector<Dims>{{3, 2, 2}});
  CHECK(max.train == "l.0 = pooling(x0) {window: [2, 2], stride: [2, 2], padding: [0, 0]}\n");
  auto const mean = run_layer(
      "pooling {pool_mode: \"average_no_pad\", pool_dims: [3, 2], pool_strides: [1], pool_pads: "
      "[1, 0]}",
      {{3, 5, 4}});
  CHECK(mean.outputs == std::vector<Dims>{{3, 5, 3}});
  CHECK(mean.train ==
        "l.0 = pooling(x0) {mode: average_no_pad, window: [3, 2], stride: [1, 1], padding: [1, "
        "0]}\n");
  // Maxima are deterministic anyway.
  CHECK(
      run_layer("pooling {pool_mode: \"max_deterministic\", pool_dims: [2]}", {{3, 5, 4}}).train ==
      max.train);
  CHECK(run_layer("pooling {pool_dims: [2], pool_pads: [2]}", {{1, 8, 8}}).codes ==
        Codes{"padding-too-large"});
  CHECK(run_layer("pooling {pool_dims: [9]}", {{1, 8, 8}}).codes == Codes{"window-too-large"});
  CHECK(run_layer("pooling {pool_dims: [2]}", {{8}}).codes == Codes{"not-an-image"});
}

TEST_CASE("unpooling") {
  auto const back = run_layer("unpooling {pool_dims: [2]}", {{3, 2, 2}, {3, 5, 4}});
  CHECK(back.outputs == std::vector<Dims>{{3, 5, 4}});
  CHECK(back.train.find("argmax(") != std::string::npos);
  CHECK(run_layer("unpooling {pool_dims: [2]}", {{3, 2, 3}, {3, 5, 4}}).codes ==
        Codes{"input-dims"});
  CHECK(run_layer("unpooling {pool_dims: [2]}", {{3, 2}, {3, 5, 4}}).codes == Codes{"input-axes"});
  CHECK(run_layer("unpooling {pool_dims: [9]}", {{3, 2, 2}, {3, 5, 4}}).codes ==
        Codes{"window-too-large"});
  CHECK(run_layer("unpooling", {{3, 2, 2}, {3, 5, 4}}).codes == Codes{"missing-field"});
  CHECK(run_layer("unpooling {pool_dims: [2], pool_pads: [2]}", {{3, 4, 4}, {3, 4, 4}}).codes ==
        Codes{"padding-too-large"});
}

}  // namespace lbann::compiler
