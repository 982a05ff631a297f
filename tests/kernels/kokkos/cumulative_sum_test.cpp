// cumulative_sum: both directions, rows of any length.
#include <doctest/doctest.h>

#include "tests/support/kernel_case.hpp"

using namespace lbann;
using operators::cumulative_sum;
using testing::KernelCase, testing::Values;

TEST_CASE("cumulative_sum: all implementations agree") {
  for (auto type : testing::floating_types)
    for (std::int64_t extent : {0, 1, 2, 7, 1001})
      for (bool reverse : {false, true})
        for (auto samples : testing::batches)
          KernelCase(cumulative_sum{reverse}, {{type, Shape{batch_extent, {2}, {extent}}}}, samples)
              .fill(1)
              .check();
}

TEST_CASE("cumulative_sum by hand") {
  Operator const on = cumulative_sum{}, back = cumulative_sum{true};
  TensorType const x{DataType::f32, Shape{{2}, {3}}};
  for (auto const* name : {"reference", "kokkos"}) {
    auto const run = [&](Operator const& op) {
      return KernelCase(op, {x}, 1)
          .set(0, {1, 2, 4, 10, 20, 40})
          .run(*testing::implementation_of(op, name))[0];
    };
    CHECK(run(on) == Values{1, 3, 7, 10, 30, 70});
    CHECK(run(back) == Values{7, 6, 4, 70, 60, 40});
  }
}
