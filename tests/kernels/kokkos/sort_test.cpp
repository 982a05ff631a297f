// sort and iota: order, ties, NaN.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/kernel_case.hpp"

using namespace lbann;
using operators::iota;
using operators::sort;
using testing::KernelCase;
using testing::Values;

TEST_CASE("sort: all implementations agree") {
  for (auto type : {DataType::f32, DataType::f64})
    for (std::int64_t extent : {0, 1, 2, 3, 7, 64, 1001})
      for (bool descending : {false, true})
        for (std::int64_t samples : {0, 1, 5}) {
          KernelCase c(sort{descending}, {{type, Shape{batch_extent, {extent}}}}, samples);
          c.fill(1, -9, 9).check(0);
          // Whole numbers: many are equal.
          for (auto& value : c.input(0)) value = std::floor(value);
          c.check(0);
        }
  KernelCase(sort{}, {{DataType::f32, Shape{batch_extent, {3}, {5}}}}, 4).fill(2).check(0);
}

TEST_CASE("sort: equals keep their order, NaN come last") {
  double const nan = std::nan("");
  TensorType const x{DataType::f32, Shape{{6}}};
  Operator const up = sort{false}, down = sort{true};
  for (auto const* name : {"reference", "kokkos"}) {
    auto const run = [&](Operator const& op) {
      return KernelCase(op, {x}, 1)
          .set(0, {nan, 2, 1, 2, nan, 3})
          .run(*testing::implementation_of(op, name));
    };
    CHECK(run(up)[1] == Values{2, 1, 3, 5, 0, 4});
    CHECK(run(down)[1] == Values{5, 1, 3, 2, 0, 4});
    CHECK(run(down)[0][3] == 1);
    CHECK(std::isnan(run(down)[0][4]));
  }
}

TEST_CASE("iota: all implementations agree") {
  for (auto type : {DataType::f32, DataType::f64, DataType::i64, DataType::i32, DataType::u8})
    for (std::int64_t extent : {0, 1, 200}) {
      KernelCase c(iota{extent, type}, {}, 1);
      c.check(0);
      auto const numbers = c.run(*testing::implementation_of(iota{}, "kokkos"))[0];
      for (std::size_t i = 0; i < numbers.size(); ++i) CHECK(numbers[i] == static_cast<double>(i));
    }
}
