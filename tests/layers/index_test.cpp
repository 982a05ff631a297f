// Layers on indices: values, gradients, indices that name nothing.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/layers/layer_run.hpp"

using namespace lbann;
using namespace lbann::testing;

namespace {

/// Place in [0, count) that an index names, or -1.
std::int64_t named(double index, std::int64_t count) {
  auto const floor = std::floor(index);
  return floor >= 0 && floor < static_cast<double>(count) ? static_cast<std::int64_t>(floor) : -1;
}

}  // namespace

TEST_CASE("embedding: vectors of the table, zeros for padding and what is outside") {
  for (auto const* declaration : {"embedding {num_embeddings: 5, embedding_dim: 3}",
                                  "embedding {num_embeddings: 5, embedding_dim: 3, padding_idx: 2}",
                                  "dist_embedding {num_embeddings: 5, embedding_dim: 3}",
                                  "dist_embedding {num_embeddings: 5, embedding_dim: 3, "
                                  "sparse_sgd: true, learning_rate: 2}"}) {
    CAPTURE(declaration);
    auto const padding = std::string(declaration).find("padding") != std::string::npos ? 2 : -1;
    LayerRun layer(declaration, {{2, 4}});
    CHECK(layer.output_dims() == Dims{2, 4, 3});
    auto const table = random_values(15, 1);
    layer.set("l_weights", table);
    for (std::int64_t const samples : {0, 1, 3}) {
      auto indices = random_values(static_cast<std::size_t>(8 * samples), 2, -1, 6);
      if (samples == 3) indices[0] = not_a_number, indices[1] = infinity, indices[2] = -infinity;
      Values expected, gradient(15);
      auto const factors = random_values(indices.size() * 3, 23);
      for (std::size_t i = 0; i < indices.size(); ++i)
        for (std::size_t e = 0; e < 3; ++e) {
          auto const at = named(indices[i], 5);
          bool const nothing = at < 0 || at == padding;
          expected.push_back(nothing ? 0 : table[static_cast<std::size_t>(at) * 3 + e]);
          auto const factor = factors[3 * i + e];
          if (!nothing)
            gradient[static_cast<std::size_t>(at) * 3 + e] +=
                2 * expected.back() * factor * factor / static_cast<double>(samples);
        }
      check_close(layer.output({indices}, samples), expected);
      if (samples > 0) check_close(layer.gradient("l_weights"), gradient);
    }
    layer.check_gradients({random_values(16, 3, -1, 6)}, 2);
  }
}

TEST_CASE("gather and scatter along each axis") {
  struct Case {
    compiler::Dims values;
    std::int64_t axis, count;
  };
  for (auto const& c : {Case{{7}, 0, 4},
                        {{7, 3}, 0, 4},
                        {{3, 7}, 1, 5},
                        {{3, 7}, -2, 1},
                        {{1, 1}, 1, 3},
                        {{6, 2, 1}, 0, 4}}) {
    auto const rank = static_cast<std::int64_t>(c.values.size());
    auto const axis = static_cast<std::size_t>(c.axis < 0 ? c.axis + rank : c.axis);
    auto named_dims = c.values;
    named_dims[axis] = c.count;
    auto const extent = c.values[axis];
    std::int64_t outer = 1, inner = 1;
    for (std::size_t i = 0; i < axis; ++i) outer *= c.values[i];
    for (std::size_t i = axis + 1; i < c.values.size(); ++i) inner *= c.values[i];
    auto const field = ", axis: " + std::to_string(c.axis) + "}";
    LayerRun gather("gather {axis: " + std::to_string(c.axis) + "}", {c.values, {c.count}});
    LayerRun scatter("scatter {dims: " + compiler::to_text(c.values) + field,
                     {named_dims, {c.count}});
    CHECK(gather.output_dims() == named_dims);
    CHECK(scatter.output_dims() == c.values);
    for (std::int64_t const samples : {0, 1, 3}) {
      auto const whole = static_cast<std::size_t>(samples * outer * extent * inner);
      auto const part = static_cast<std::size_t>(samples * outer * c.count * inner);
      auto const x = random_values(whole, 1), y = random_values(part, 2);
      auto const indices = random_values(static_cast<std::size_t>(samples * c.count), 3, -1,
                                         static_cast<double>(extent) + 1);
      Values taken(part), added(whole);
      for (std::int64_t o = 0; o < samples * outer; ++o)
        for (std::int64_t p = 0; p < c.count; ++p)
          for (std::int64_t i = 0; i < inner; ++i) {
            auto const at =
                named(indices[static_cast<std::size_t>(o / outer * c.count + p)], extent);
            auto const named_at = static_cast<std::size_t>((o * c.count + p) * inner + i);
            if (at < 0) continue;
            auto const value_at = static_cast<std::size_t>((o * extent + at) * inner + i);
            taken[named_at] = x[value_at];
            added[value_at] += y[named_at];
          }
      check_close(gather.output({x, indices}, samples), taken);
      check_close(scatter.output({y, indices}, samples), added);
      if (samples == 0) continue;
      gather.check_gradients({x, indices}, samples);
      scatter.check_gradients({y, indices}, samples);
    }
  }
}

TEST_CASE("one_hot") {
  LayerRun layer("one_hot {size: 3}", {{1}});
  CHECK(layer.output({{0, 1.9, 2, 3, -0.1, not_a_number, infinity}}, 7) ==
        Values{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  CHECK(layer.output({{}}, 0).empty());
  layer.check_gradients({{0.5, 1.5}}, 2);
}

TEST_CASE("argmax and argmin: the first of equals") {
  LayerRun largest("argmax", {{5}}), smallest("argmin", {{5}});
  Values const x{3, 1, 3, 1, 2, -1, -1, -1, -1, -1};
  CHECK(largest.output({x}, 2) == Values{0, 0});
  CHECK(smallest.output({x}, 2) == Values{1, 0});
  largest.check_gradients({random_values(10, 1)}, 2);
}

TEST_CASE("sort and in_top_k") {
  for (std::int64_t const samples : {0, 1, 4}) {
    auto const x = random_values(static_cast<std::size_t>(6 * samples), 1);
    for (bool descending : {false, true}) {
      LayerRun layer(std::string("sort {descending: ") + (descending ? "true}" : "false}"),
                     {{2, 3}});
      auto expected = x;
      for (auto begin = expected.begin(); begin != expected.end(); begin += 6) {
        std::sort(begin, begin + 6);
        if (descending) std::reverse(begin, begin + 6);
      }
      check_close(layer.output({x}, samples), expected);
      if (samples > 0) layer.check_gradients({x}, samples);
    }
    for (std::size_t k : {0, 1, 4, 6, 9}) {
      LayerRun layer("in_top_k {k: " + std::to_string(k) + "}", {{2, 3}});
      Values expected;
      for (std::size_t s = 0; s < x.size(); s += 6)
        for (std::size_t i = 0; i < 6; ++i) {
          std::size_t before = 0;
          for (std::size_t j = 0; j < 6; ++j) before += x[s + j] > x[s + i] ? 1 : 0;
          expected.push_back(before < k ? 1 : 0);
        }
      check_close(layer.output({x}, samples), expected);
    }
  }
  LayerRun ties("in_top_k {k: 2}", {{4}});
  CHECK(ties.output({{5, 7, 5, 5}}, 1) == Values{1, 1, 0, 0});
}

TEST_CASE("uniform_hash: equal entries equal, spread over [0, 1)") {
  LayerRun layer("uniform_hash", {{1000}});
  auto x = random_values(2000, 1);
  x[1000] = x[3];
  auto const y = layer.output({x}, 2);
  CHECK(y[1000] == y[3]);
  CHECK(*std::min_element(y.begin(), y.end()) >= 0);
  CHECK(*std::max_element(y.begin(), y.end()) < 1);
  CHECK(std::accumulate(y.begin(), y.end(), 0.0) / 2000 == doctest::Approx(0.5).epsilon(0.05));
}
