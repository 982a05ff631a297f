// attention and attention_gradient: tiles of every size, more keys and queries than a tile holds.
#include <doctest/doctest.h>

#include <limits>

#include "tests/support/kernel_case.hpp"

using namespace lbann;
using testing::KernelCase;

namespace {

struct Heads {
  std::int64_t samples, queries, keys, heads, head_size, value_size;
};

constexpr Heads cases[] = {{0, 3, 4, 2, 5, 6},
                           {1, 1, 1, 1, 1, 1},
                           {2, 7, 9, 3, 4, 5},
                           {1, 9, 7, 2, 17, 3},
                           {3, 64, 64, 2, 16, 16},
                           {1, 65, 193, 1, 8, 50},
                           {1, 300, 70, 1, 3, 2},
                           {2, 67, 400, 1, 33, 1},
                           {17, 2, 2, 1, 2, 100},
                           // More queries than portable kernels take at a time, few operations:
                           // heads in several parts, a head in two.
                           {2, 700, 2, 2, 1, 1},
                           {1, 2100, 2, 2, 1, 1}};

TensorType rows(DataType type, std::int64_t count, std::int64_t columns) {
  return {type, Shape{batch_extent, {count}, {columns}}};
}

/// Masks that are broadcast along some axes, and none.
std::vector<TensorTypes> masks(DataType type, Heads const& c) {
  return {{},
          {{type, Shape{{c.queries}, {c.keys}}}},
          {{type, Shape{{c.heads}, {1}, {c.keys}}}},
          {{type, Shape{batch_extent, {c.heads}, {c.queries}, {c.keys}}}},
          {{type, Shape{batch_extent, {1}, {c.queries}, {1}}}}};
}

}  // namespace

TEST_CASE("attention") {
  for (auto type : testing::floating_types)
    for (bool const causal : {false, true})
      for (auto const& c : cases)
        for (auto const& mask : masks(type, c)) {
          CAPTURE(c.queries);
          CAPTURE(c.keys);
          CAPTURE(causal);
          TensorTypes inputs{rows(type, c.queries, c.heads * c.head_size),
                             rows(type, c.keys, c.heads * c.head_size),
                             rows(type, c.keys, c.heads * c.value_size)};
          inputs.insert(inputs.end(), mask.begin(), mask.end());
          KernelCase(operators::attention{{c.head_size, -0.3, causal}}, inputs, c.samples)
              .fill(static_cast<unsigned>(c.keys))
              .check();
        }
}

TEST_CASE("attention_gradient") {
  for (auto type : testing::floating_types)
    for (bool const causal : {false, true})
      for (auto const& c : cases)
        for (auto const& mask : masks(type, c)) {
          CAPTURE(c.queries);
          CAPTURE(c.keys);
          CAPTURE(causal);
          auto const q = rows(type, c.queries, c.heads * c.head_size);
          auto const k = rows(type, c.keys, c.heads * c.head_size);
          auto const v = rows(type, c.keys, c.heads * c.value_size);
          auto const y = rows(type, c.queries, c.heads * c.value_size);
          operators::AttentionHeads const heads{c.head_size, 0.2, causal};
          TensorTypes inputs{q, k, v};
          TensorTypes gradients{y, q, k, v, y, {type, Shape{batch_extent, {c.heads}, {c.queries}}}};
          inputs.insert(inputs.end(), mask.begin(), mask.end());
          gradients.insert(gradients.end(), mask.begin(), mask.end());
          // Results and sums as they are of these inputs, so that weights are at most 1.
          KernelCase forward(operators::attention{heads}, inputs, c.samples);
          forward.fill(7);
          auto const results =
              forward.run(*testing::implementation_of(operators::attention{heads}, "reference"));
          KernelCase backward(operators::attention_gradient{heads}, gradients, c.samples);
          backward.fill(3)
              .set(1, forward.input(0))
              .set(2, forward.input(1))
              .set(3, forward.input(2))
              .set(4, results[0])
              .set(5, results[1]);
          if (!mask.empty()) backward.set(6, forward.input(3));
          backward.check();
        }
}

TEST_CASE("masks hide keys") {
  for (auto type : testing::floating_types)
    for (double const hidden : {-1e9, -std::numeric_limits<double>::infinity()}) {
      KernelCase call(
          operators::attention{{1, 1, false}},
          {rows(type, 3, 1), rows(type, 2, 1), rows(type, 2, 1), {type, Shape{{3}, {2}}}}, 1);
      call.set(0, {1, 2, 3})
          .set(1, {1, -1})
          .set(2, {3, 5})
          .set(3, {hidden, 0, 0, hidden, 0, hidden});
      for (auto const name : testing::families()) {
        auto const results =
            call.run(*testing::implementation_of(operators::attention{{1, 1, false}}, name));
        CHECK(results[0] == testing::Values{5, 3, 3});
        CHECK(results[1] == testing::Values{-1, 2, 3});
      }
    }
}

TEST_CASE("scores far from 0 neither overflow nor vanish") {
  for (auto type : testing::floating_types)
    for (double const score : {-1e4, 1e4}) {
      KernelCase call(operators::attention{{1, 1, false}},
                      {rows(type, 3, 1), rows(type, 2, 1), rows(type, 2, 1)}, 1);
      call.set(0, {score, score, score}).set(1, {1, 1}).set(2, {3, 5});
      for (auto const name : testing::families()) {
        auto const results =
            call.run(*testing::implementation_of(operators::attention{{1, 1, false}}, name));
        for (auto const y : results[0]) CHECK(y == doctest::Approx(4));
        for (auto const lse : results[1]) CHECK(lse == doctest::Approx(score + 0.6931));
      }
    }
}
