// permute: every order of the axes, extents around the size of a tile.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/support/kernel_case.hpp"

using namespace lbann;
using operators::permute;
using testing::KernelCase;
using testing::Values;

TEST_CASE("permute: all implementations agree") {
  for (auto const& shape :
       {Shape{batch_extent, {3}, {4}, {5}}, Shape{batch_extent, {1}, {33}, {65}},
        Shape{{2, true}, {40}, {3}, {1}}, Shape{batch_extent, {7}, {1}, {100}}}) {
    std::vector<std::int64_t> axes{0, 1, 2, 3};
    do
      for (std::int64_t samples : {0, 1, 3})
        KernelCase(permute{axes}, {{DataType::f32, shape}}, samples).fill(1).check(0);
    while (std::next_permutation(axes.begin(), axes.end()));
  }
  for (auto type : {DataType::f64, DataType::u8, DataType::i32, DataType::i64})
    KernelCase(permute{{0, 2, 1}}, {{type, Shape{batch_extent, {37}, {70}}}}, 2)
        .fill(2, 0, 200)
        .check(0);
  KernelCase(permute{{1, 0}}, {{DataType::f32, Shape{{2000}, {3}}}}, 1).fill(3).check(0);
  KernelCase(permute{{1, 0}}, {{DataType::f32, Shape{{3}, {2000}}}}, 1).fill(3).check(0);
  for (auto type : {DataType::f32, DataType::f64, DataType::u8})
    KernelCase(permute{{1, 0}}, {{type, Shape{{130}, {100}}}}, 1).fill(6, 0, 200).check(0);
  // Results written with non-temporal stores, of whole registers and with a rest.
  for (std::int64_t rows : {1024, 1037}) {
    testing::NonTemporalStores const always(1);
    KernelCase(permute{{1, 0}}, {{DataType::f32, Shape{{256}, {rows}}}}, 1).fill(7).check(0);
  }
  KernelCase(permute{{4, 0, 3, 1, 2}}, {{DataType::f32, Shape{{2}, {3}, {4}, {5}, {6}}}}, 1)
      .fill(4)
      .check(0);
  KernelCase(permute{{}}, {{DataType::f32, Shape{}}}, 1).fill(5).check(0);
}

TEST_CASE("permute: known values") {
  Operator const op = permute{{0, 2, 1}};
  for (auto const name : testing::families())
    CHECK(KernelCase(op, {{DataType::f32, Shape{batch_extent, {2}, {3}}}}, 2)
              .set(0, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
              .run(*testing::implementation_of(op, name))[0] ==
          Values{1, 4, 2, 5, 3, 6, 7, 10, 8, 11, 9, 12});
}
