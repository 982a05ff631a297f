// Tests of the layer scaled_dot_product_attention.
#include <doctest/doctest.h>

#include "tests/compiler/layers/layer_case.hpp"
#include "tests/support/expected.hpp"

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
  CHECK(tests::difference("tests/compiler/layers/attention_layers.expected",
                          "scaled_dot_product_attention heads train", heads.train) == "");
  auto const masked =
      run_layer("scaled_dot_product_attention {num_heads: 2}", {{3, 8}, {5, 8}, {5, 4}, {3, 5}});
  CHECK(masked.outputs == std::vector<Dims>{{3, 4}});
  CHECK(tests::difference("tests/compiler/layers/attention_layers.expected",
                          "scaled_dot_product_attention masked train", masked.train) == "");
}

TEST_CASE("scaled_dot_product_attention complains") {
  CHECK(codes_of({{3, 8}, {5, 8}, {5, 8}}) == Codes{});
  CHECK(codes_of({{3}, {5, 8}, {5, 8}}) == Codes{"input-axes"});
  CHECK(codes_of({{3, 8}, {5, 6}, {5, 8}}) == Codes{"input-dims"});
  CHECK(codes_of({{3, 8}, {5, 8}, {4, 8}}) == Codes{"input-dims"});
  CHECK(codes_of({{3, 8}, {5, 8}, {5, 8}}, "num_heads: 3") == Codes{"heads-do-not-divide"});
  CHECK(codes_of({{3, 8}, {5, 8}, {5, 9}}, "num_heads: 4") == Codes{"heads-do-not-divide"});
  CHECK(codes_of({{3, 8}, {5, 8}, {5, 8}, {2, 1, 5}}, "num_heads: 2") == Codes{});
  CHECK(codes_of({{3, 8}, {5, 8}, {5, 8}, {2, 1, 5}}, "num_heads: 4") == Codes{"input-dims"});
  CHECK(codes_of({{3, 8}, {5, 8}, {5, 8}, {5, 3}}) == Codes{"input-dims"});
  CHECK(codes_of({{3, 8}, {5, 8}, {5, 8}, {5}}) == Codes{"input-dims"});
  CHECK(codes_of({{3, 8}, {5, 8}, {5, 8}, {1, 1, 1, 1}}) == Codes{"input-dims"});
  CHECK(codes_of({{1 << 20, 1}, {1 << 30, 1}, {1 << 30, 1}}) == Codes{"number-too-large"});
}

}  // namespace lbann::compiler
