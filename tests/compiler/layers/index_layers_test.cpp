// Tests of layers on indices and images, that repeat, cut and reorder, and of random ones: dims,
// weights, what they are in operators, complaints. Their numbers: tests/layers.
#include <doctest/doctest.h>

#include "tests/compiler/layers/layer_case.hpp"
#include "tests/support/expected.hpp"

namespace lbann::compiler {
namespace {

using Codes = std::vector<std::string>;

}  // namespace

TEST_CASE("embedding and dist_embedding") {
  auto const table =
      run_layer("embedding {num_embeddings: 11, embedding_dim: 7, padding_idx: 0}", {{2, 3}});
  CHECK(table.outputs == std::vector<Dims>{{2, 3, 7}});
  CHECK(table.weights == "l_weights: [11, 7] initializer normal_initializer\n");
  CHECK(tests::difference("tests/compiler/layers/index_layers.expected",
                          "embedding and dist_embedding table train", table.train) == "");
  auto const bare = run_layer("dist_embedding {num_embeddings: 5, embedding_dim: 2}", {{3}});
  CHECK(bare.train == "l.0 = gather(l_weights, x0) {axis: 0, batch_axes: 0}\n");
  CHECK(run_layer("embedding {num_embeddings: 1099511627776, embedding_dim: 1099511627776}", {{1}})
            .codes == Codes{"number-too-large"});
  CHECK(run_layer("dist_embedding {num_embeddings: 5, embedding_dim: 2, learning_rate: 1}", {{3}})
            .codes == Codes{"no-effect"});
}

TEST_CASE("gather and scatter") {
  auto const rows = run_layer("gather {axis: 1}", {{5, 8}, {3}});
  CHECK(rows.outputs == std::vector<Dims>{{5, 3}});
  CHECK(rows.train == "l.0 = gather(x0, x1) {axis: 2}\n");
  CHECK(run_layer("gather", {{8}, {3, 1}}).outputs == std::vector<Dims>{{3, 1}});
  CHECK(run_layer("gather {axis: 2}", {{5, 8}, {3}}).codes == Codes{"axis-out-of-range"});
  auto const sums = run_layer("scatter {dims: [5, 8], axis: 1}", {{5, 3}, {3}});
  CHECK(sums.outputs == std::vector<Dims>{{5, 8}});
  CHECK(sums.train == "l.0 = scatter(x0, x1) {shape: [batch, 5, 8], axis: 2}\n");
  CHECK(run_layer("scatter {dims: [5, 8], axis: 0}", {{5, 3}, {5}}).codes ==
        Codes{"dims-do-not-fit"});
  CHECK(run_layer("scatter {dims: [8]}", {{5, 3}, {5}}).codes == Codes{"dims-do-not-fit"});
  CHECK(run_layer("scatter {dims: [5, 8], axis: 1}", {{5, 3}, {4}}).codes == Codes{"input-dims"});
  CHECK(run_layer("scatter {dims: [5], axis: -2}", {{3}, {3}}).codes == Codes{"axis-out-of-range"});
}

TEST_CASE("one_hot, argmax, argmin, sort, in_top_k, uniform_hash") {
  CHECK(run_layer("one_hot {size: 4}", {{1, 1}}).outputs == std::vector<Dims>{{4}});
  CHECK(run_layer("one_hot {size: 4}", {{2}}).codes == Codes{"input-dims"});
  CHECK(run_layer("argmax", {{7}}).outputs == std::vector<Dims>{{1}});
  CHECK(run_layer("argmin", {{7}}).outputs == std::vector<Dims>{{1}});
  CHECK(run_layer("sort {descending: true}", {{2, 3}}).outputs == std::vector<Dims>{{2, 3}});
  CHECK(run_layer("in_top_k {k: 2}", {{2, 3}}).outputs == std::vector<Dims>{{2, 3}});
  CHECK(run_layer("uniform_hash", {{2, 3}}).train == "l.0 = uniform_hash(x0)\n");
}

TEST_CASE("crop, tessellate, tensor_permute, upsample") {
  CHECK(run_layer("crop {dims: [2, 3]}", {{4, 3}, {2}}).outputs == std::vector<Dims>{{2, 3}});
  CHECK(run_layer("crop {dims: [2, 4]}", {{4, 3}, {2}}).codes == Codes{"dims-do-not-fit"});
  CHECK(run_layer("crop {dims: [2]}", {{4, 3}, {2}}).codes == Codes{"dims-do-not-fit"});
  CHECK(run_layer("crop {dims: [2, 3]}", {{4, 3}, {3}}).codes == Codes{"input-dims"});
  CHECK(run_layer("tessellate {dims: [2, 3, 4]}", {{3}}).outputs == std::vector<Dims>{{2, 3, 4}});
  CHECK(run_layer("tessellate {dims: [3]}", {{3}}).train == "");
  CHECK(run_layer("tessellate {dims: [6]}", {{2, 3}}).codes == Codes{"dims-do-not-fit"});
  CHECK(run_layer("tessellate", {{2, 3}}).codes == Codes{"missing-field"});
  CHECK(run_layer("tessellate {dims: [1099511627776, 1099511627776]}", {{1, 1}}).codes ==
        Codes{"number-too-large"});
  auto const turned = run_layer("tensor_permute {axes: [2, 0, 1]}", {{2, 3, 4}});
  CHECK(turned.outputs == std::vector<Dims>{{4, 2, 3}});
  CHECK(turned.train == "l.0 = permute(x0) {axes: [0, 3, 1, 2]}\n");
  for (auto const* axes : {"[0, 1]", "[0, 1, 1]", "[0, 1, 3]", "[0, 1, 2, 3]"})
    CHECK(run_layer("tensor_permute {axes: " + std::string(axes) + "}", {{2, 3, 4}}).codes ==
          Codes{"dims-do-not-fit"});
  CHECK(run_layer("upsample {scale_factors: [2, 3]}", {{1, 4, 5}}).outputs ==
        std::vector<Dims>{{1, 8, 15}});
  CHECK(run_layer("upsample {scale_factors: [2, 3]}", {{1, 4, 5, 6}}).codes ==
        Codes{"list-length"});
  CHECK(run_layer("upsample {scale_factors: [2]}", {{4}}).codes == Codes{"not-an-image"});
  CHECK(run_layer("upsample {num_dims: 3, scale_factors: [2]}", {{1, 4, 5}}).codes ==
        Codes{"num-dims-clash"});
  CHECK(run_layer("upsample {scale_factors: [4611686018427387904]}", {{1, 4, 5}}).codes ==
        Codes{"number-too-large"});
}

TEST_CASE("gaussian, uniform, bernoulli, categorical_random, discrete_random") {
  CHECK(run_layer("gaussian {neuron_dims: [2, 3]}", {}).outputs == std::vector<Dims>{{2, 3}});
  auto const still =
      run_layer("uniform {min: 1, max: 4, neuron_dims: [3], training_only: true}", {});
  CHECK(still.train.starts_with(
      "l.0 = random(seed, step, first_sample) {first: 1, second: 4, key: "));
  CHECK(still.evaluate ==
        "evaluate.l.0 = map() {expression: (2.5), shape: [batch, 3], types: [f32]}\n");
  CHECK(run_layer("uniform {min: 2, max: 1, neuron_dims: [3]}", {}).codes ==
        Codes{"bounds-crossed"});
  CHECK(run_layer("bernoulli", {}).codes == Codes{"missing-field"});
  CHECK(run_layer("gaussian {neuron_dims: [1099511627776, 1099511627776]}", {}).codes ==
        Codes{"number-too-large"});
  CHECK(run_layer("categorical_random", {{2, 3}}).outputs == std::vector<Dims>{{2, 3}});
  CHECK(run_layer("discrete_random {values: [1, 2], dims: [5]}", {{2}}).outputs ==
        std::vector<Dims>{{5}});
  CHECK(run_layer("discrete_random {values: [1, 2], dims: [5]}", {{3}}).codes ==
        Codes{"input-dims"});
  CHECK(run_layer("discrete_random {values: [1], dims: [1099511627776, 1099511627776]}", {{1}})
            .codes == Codes{"number-too-large"});
}

TEST_CASE("bilinear_resize, rotation, composite_image_transformation, cutout, dft_abs") {
  CHECK(run_layer("bilinear_resize {height: 3, width: 9}", {{2, 1, 5, 6}}).outputs ==
        std::vector<Dims>{{2, 1, 3, 9}});
  CHECK(run_layer("bilinear_resize {height: 3, width: 9}", {{5}}).codes == Codes{"input-axes"});
  CHECK(run_layer("rotation", {{2, 5, 6}, {1}}).outputs == std::vector<Dims>{{2, 5, 6}});
  CHECK(run_layer("rotation", {{5, 6}, {1}}).codes == Codes{"input-axes"});
  CHECK(run_layer("rotation", {{2, 5, 6}, {2}}).codes == Codes{"input-dims"});
  CHECK(run_layer("composite_image_transformation", {{2, 5, 6}, {1}, {2}, {2}}).outputs ==
        std::vector<Dims>{{2, 5, 6}});
  CHECK(run_layer("composite_image_transformation", {{2, 5, 6}, {1}, {2}, {3}}).codes ==
        Codes{"input-dims"});
  CHECK(run_layer("cutout", {{2, 5, 6}, {1}}).outputs == std::vector<Dims>{{2, 5, 6}});
  CHECK(run_layer("cutout", {{2, 5, 6}, {1, 1}}).codes == Codes{"input-dims"});
  CHECK(run_layer("dft_abs", {{2, 5, 6}}).outputs == std::vector<Dims>{{2, 5, 6}});
  CHECK(run_layer("dft_abs", {{5}}).codes == Codes{"not-an-image"});
}

TEST_CASE("rowwise_weights_norms") {
  CHECK(run_layer("rowwise_weights_norms", {}).codes == Codes{"rows-of-no-weights"});
}

}  // namespace lbann::compiler
