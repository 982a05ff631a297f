// argmax and rank: ties, NaN, indices that are not in the sample.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tests/support/kernel_case.hpp"

using namespace lbann;
using testing::KernelCase;
using testing::Values;

TEST_CASE("argmax and rank: all implementations agree") {
  for (auto type : {DataType::f32, DataType::f64})
    for (auto const& shape : {Shape{batch_extent, {1}}, Shape{batch_extent, {10}},
                              Shape{batch_extent, {3}, {7}}, Shape{batch_extent, {1000}}})
      for (std::int64_t samples : {0, 1, 2, 3, 17}) {
        KernelCase(operators::argmax{}, {{type, shape}}, samples).fill(1, -9, 9).check(0);
        TensorType const index{DataType::i64, Shape{batch_extent, {1}}};
        KernelCase(operators::rank{}, {{type, shape}, index}, samples).fill(2, -9, 9).check(0);
      }
}

TEST_CASE("argmax: equals far apart, nothing above the lowest number") {
  double const inf = INFINITY, nan = std::nan(""), low = -std::numeric_limits<float>::max();
  std::size_t const columns = 1300;
  std::vector<Values> rows(6, Values(columns, 1));
  rows[0][700] = rows[0][1299] = 2;
  rows[1][1299] = 2;
  rows[2].assign(columns, -inf);
  rows[3].assign(columns, nan);
  rows[4].assign(columns, nan);
  rows[4][900] = -inf;
  rows[5].assign(columns, -inf);
  rows[5][1000] = rows[5][1100] = low;
  Values x;
  for (auto const& row : rows) x.insert(x.end(), row.begin(), row.end());
  Operator const op = operators::argmax{};
  for (auto const* name : {"reference", "kokkos"})
    CHECK(KernelCase(op, {{DataType::f32, Shape{batch_extent, {1300}}}}, 6)
              .set(0, x)
              .run(*testing::implementation_of(op, name))[0] == Values{700, 1299, 0, 0, 900, 1000});
}

TEST_CASE("argmax and rank: the first of equals comes first, NaN never") {
  Shape const shape{batch_extent, {4}};
  double const nan = std::nan("");
  Values const x{1, 3, 3, 2, nan, -5, nan, -4, nan, nan, nan, nan};
  for (auto const* name : {"reference", "kokkos"}) {
    Operator const argmax = operators::argmax{}, rank = operators::rank{};
    CHECK(KernelCase(argmax, {{DataType::f32, shape}}, 3)
              .set(0, x)
              .run(*testing::implementation_of(argmax, name))[0] == Values{1, 3, 0});
    KernelCase ranks(rank, {{DataType::f32, shape}, {DataType::i64, Shape{batch_extent, {1}}}}, 3);
    ranks.set(0, {1, 3, 3, 2, 1, 3, 3, 2, 1, 3, 3, 2});
    CHECK(ranks.set(1, {2, 1, 3}).run(*testing::implementation_of(rank, name))[0] ==
          Values{1, 0, 2});
    CHECK(ranks.set(1, {-1, 4, 1e15}).run(*testing::implementation_of(rank, name))[0] ==
          Values{4, 4, 4});
  }
}
