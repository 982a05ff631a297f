// slice, concatenate and reshape: bytes that move.
#include <doctest/doctest.h>

#include "tests/support/kernel_case.hpp"

using namespace lbann;
using testing::KernelCase;
using testing::Values;

TEST_CASE("slice and concatenate: all implementations agree") {
  for (auto type : {DataType::f32, DataType::f64, DataType::u8, DataType::i64})
    for (std::int64_t samples : {0, 1, 2, 3, 17})
      for (std::int64_t axis : {1, 2, 3}) {
        Shape const shape{batch_extent, {4}, {5}, {6}};
        KernelCase(operators::slice{axis, {0, 1, 3, 4}}, {{type, shape}}, samples)
            .fill(1, 0, 200)
            .check(0);
        KernelCase(operators::slice{axis, {1, 1, 4}}, {{type, shape}}, samples)
            .fill(2, 0, 200)
            .check(0);
        auto other = shape;
        other.extents[static_cast<std::size_t>(axis)].size = 3;
        KernelCase(operators::concatenate{axis}, {{type, shape}, {type, other}, {type, shape}},
                   samples)
            .fill(3, 0, 200)
            .check(0);
      }
  TensorType const big{DataType::f32, Shape{batch_extent, {3}, {9001}}};
  KernelCase(operators::slice{2, {0, 5, 8800}}, {big}, 3).fill(4).check(0);
  TensorType const fixed{DataType::f32, Shape{{3}, {9001}}};
  KernelCase(operators::concatenate{0}, {fixed, fixed}, 3).fill(5).check(0);
  // Past the caches, from and to any address.
  testing::NonTemporalStores const always(1);
  for (auto type : {DataType::f32, DataType::f64, DataType::u8}) {
    TensorType const half{type, Shape{{3}, {30003}}}, three{type, Shape{{3}, {3}}};
    KernelCase(operators::concatenate{1}, {three, half, three}, 1).fill(6, 0, 200).check(0);
    KernelCase(operators::slice{1, {1, 29002, 30002}}, {half}, 1).fill(7, 0, 200).check(0);
  }
}

TEST_CASE("slice and concatenate: known values") {
  for (auto const name : testing::families()) {
    Operator const slice = operators::slice{1, {0, 1, 3}}, concatenate = operators::concatenate{1};
    TensorType const three{DataType::f32, Shape{batch_extent, {3}}};
    TensorType const one{DataType::f32, Shape{batch_extent, {1}}};
    auto const pieces = KernelCase(slice, {three}, 2)
                            .set(0, {1, 2, 3, 4, 5, 6})
                            .run(*testing::implementation_of(slice, name));
    CHECK(pieces[0] == Values{1, 4});
    CHECK(pieces[1] == Values{2, 3, 5, 6});
    CHECK(KernelCase(concatenate, {one, three}, 2)
              .set(0, {7, 8})
              .set(1, {1, 2, 3, 4, 5, 6})
              .run(*testing::implementation_of(concatenate, name))[0] ==
          Values{7, 1, 2, 3, 8, 4, 5, 6});
  }
}

TEST_CASE("reshape: in place or not") {
  for (std::int64_t samples : {0, 1, 3}) {
    operators::reshape const op{Shape{batch_extent, {6}}};
    TensorType const x{DataType::f32, Shape{batch_extent, {2}, {3}}};
    KernelCase(op, {x}, samples).fill(1).check(0);
    KernelCase(op, {x}, samples).fill(1).in_place(0, 0).check(0);
  }
}

TEST_CASE("collectives belong to a communicator: no kernel accepts them") {
  for (Operator const& op :
       {Operator(operators::all_reduce{{"data"}}), Operator(operators::all_gather{{"rows"}}),
        Operator(operators::reduce_scatter{{"rows"}, 0}),
        Operator(operators::all_to_all{{"rows"}})}) {
    KernelCase c(op, {{DataType::f32, Shape{{3}}}}, 1);
    for (auto const& implementation : kernels::implementations(op.index()))
      CHECK_FALSE(c.accepts(implementation));
  }
}
