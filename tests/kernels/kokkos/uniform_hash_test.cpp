// uniform_hash: against digests of another implementation of MD5 (Python's hashlib).
#include <doctest/doctest.h>

#include "tests/support/kernel_case.hpp"

using namespace lbann;
using testing::KernelCase;
using testing::Values;

TEST_CASE("uniform_hash: all implementations agree") {
  for (auto type : {DataType::f32, DataType::f64})
    for (std::int64_t samples : {0, 1, 17})
      KernelCase(operators::uniform_hash{}, {{type, Shape{batch_extent, {11}}}}, samples)
          .fill(1)
          .check(0);
}

TEST_CASE("uniform_hash: known values") {
  // int.from_bytes(hashlib.md5(struct.pack("<f", x)).digest()[8:], "little") / 2**64; then "<d".
  Values const x{0.0, -0.0, 1.0, -2.5, 0.1};
  Values const of_f32{0x1.89cb971077c8bp-2, 0x1.a206902ee2e04p-4, 0x1.b50ad19b63648p-3,
                      0x1.385459aa9dbf1p-2, 0x1.f4bc730e38bd2p-1};
  Values const of_f64{0x1.d3d3528d4925bp-2, 0x1.a44a4307f3b25p-1, 0x1.13d8aedac9731p-1,
                      0x1.a01826b15ba46p-1, 0x1.f8fc285a3df88p-1};
  Operator const op = operators::uniform_hash{};
  for (auto const* name : {"reference", "kokkos"})
    for (auto type : {DataType::f32, DataType::f64}) {
      auto const& expected = type == DataType::f32 ? of_f32 : of_f64;
      auto const found = KernelCase(op, {{type, Shape{{5}}}}, 1)
                             .set(0, x)
                             .run(*testing::implementation_of(op, name))[0];
      for (std::size_t i = 0; i < x.size(); ++i)
        CHECK(found[i] ==
              doctest::Approx(expected[i]).epsilon(type == DataType::f32 ? 1e-7 : 1e-15));
    }
}
