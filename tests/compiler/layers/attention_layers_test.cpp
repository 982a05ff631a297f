// Tests of the layer scaled_dot_product_attention.
#include <doctest/doctest.h>

#include "tests/compiler/layers/layer_case.hpp"

namespace lbann::compiler {
namespace {

using Codes = std::vector<std::string>;

Codes codes_of(std::vector<Dims> const& inputs, std::string const& fields = "") {
  return run_layer("scaled_dot_product_attention {" + fields + "}", inputs).codes;
}

}  // namespace

TEST_CASE("scaled_dot_product_attention") {
  auto const heads = run_layer("scaled_dot_product_attention {num_heads: 2, is_causal: true}",
                               {{3, 8}, {5, 8}, {5, 4}});
  CHECK(heads.outputs == std::vector<Dims>{{3, 4}});
  CHECK(heads.weights == "");
  CHECK(heads.train ==
        "l/reshape = reshape(x0) {shape: [batch, 3, 2, 4]}\n"
        "l/permute = permute(l/reshape) {axes: [0, 2, 1, 3]}\n"
        "l/reshape_2 = reshape(x1) {shape: [batch, 5, 2, 4]}\n"
        "l/permute_2 = permute(l/reshape_2) {axes: [0, 2, 1, 3]}\n"
        "l/reshape_3 = reshape(x2) {shape: [batch, 5, 2, 2]}\n"
        "l/permute_3 = permute(l/reshape_3) {axes: [0, 2, 1, 3]}\n"
        "l/batched_matmul = batched_matmul(l/permute, l/permute_2) {transpose_b: true}\n"
        "l/iota = iota() {extent: 3}\n"
        "l/reshape_4 = reshape(l/iota) {shape: [3, 1]}\n"
        "l/iota_2 = iota() {extent: 5}\n"
        "l/map = map(l/batched_matmul, l/reshape_4, l/iota_2) {expression: (select(less_equal(i2, "
        "i1), multiply(i0, 0.5), -inf)), shape: [batch, 2, 3, 5], types: [f32]}\n"
        "l/softmax = softmax(l/map) {axis: 3}\n"
        "l/batched_matmul_2 = batched_matmul(l/softmax, l/permute_3)\n"
        "l/permute_4 = permute(l/batched_matmul_2) {axes: [0, 2, 1, 3]}\n"
        "l.0 = reshape(l/permute_4) {shape: [batch, 3, 4]}\n");
}

TEST_CASE("scaled_dot_product_attention complains") {
  CHECK(codes_of({{3, 8}, {5, 8}, {5, 8}}) == Codes{});
  CHECK(codes_of({{3}, {5, 8}, {5, 8}}) == Codes{"input-axes"});
  CHECK(codes_of({{3, 8}, {5, 6}, {5, 8}}) == Codes{"input-dims"});
  CHECK(codes_of({{3, 8}, {5, 8}, {4, 8}}) == Codes{"input-dims"});
  CHECK(codes_of({{3, 8}, {5, 8}, {5, 8}}, "num_heads: 3") == Codes{"heads-do-not-divide"});
  CHECK(codes_of({{3, 8}, {5, 8}, {5, 9}}, "num_heads: 4") == Codes{"heads-do-not-divide"});
  CHECK(codes_of({{1 << 20, 1}, {1 << 30, 1}, {1 << 30, 1}}) == Codes{"number-too-large"});
}

}  // namespace lbann::compiler
