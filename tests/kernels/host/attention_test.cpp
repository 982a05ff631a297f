// attention and attention_gradient: tiles of every size, more keys and queries than a tile holds.
#include <doctest/doctest.h>

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

}  // namespace

TEST_CASE("attention") {
  for (auto type : testing::floating_types)
    for (bool const causal : {false, true})
      for (auto const& c : cases) {
        CAPTURE(c.queries);
        CAPTURE(c.keys);
        CAPTURE(causal);
        KernelCase(
            operators::attention{{c.head_size, -0.3, causal}},
            {rows(type, c.queries, c.heads * c.head_size),
             rows(type, c.keys, c.heads * c.head_size), rows(type, c.keys, c.heads * c.value_size)},
            c.samples)
            .fill(static_cast<unsigned>(c.keys))
            .check();
      }
}

TEST_CASE("attention_gradient") {
  for (auto type : testing::floating_types)
    for (bool const causal : {false, true})
      for (auto const& c : cases) {
        CAPTURE(c.queries);
        CAPTURE(c.keys);
        CAPTURE(causal);
        auto const q = rows(type, c.queries, c.heads * c.head_size);
        auto const k = rows(type, c.keys, c.heads * c.head_size);
        auto const v = rows(type, c.keys, c.heads * c.value_size);
        auto const y = rows(type, c.queries, c.heads * c.value_size);
        operators::AttentionHeads const heads{c.head_size, 0.2, causal};
        // Results and sums as they are of these inputs, so that weights are at most 1.
        KernelCase forward(operators::attention{heads}, {q, k, v}, c.samples);
        forward.fill(7);
        auto const results =
            forward.run(*testing::implementation_of(operators::attention{heads}, "reference"));
        KernelCase(operators::attention_gradient{heads},
                   {y, q, k, v, y, {type, Shape{batch_extent, {c.heads}, {c.queries}}}}, c.samples)
            .fill(3)
            .set(1, forward.input(0))
            .set(2, forward.input(1))
            .set(3, forward.input(2))
            .set(4, results[0])
            .set(5, results[1])
            .check();
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
