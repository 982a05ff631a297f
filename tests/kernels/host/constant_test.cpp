// constant: all implementations write the numbers they are given.
#include <doctest/doctest.h>

#include "tests/support/kernel_case.hpp"

using namespace lbann;

TEST_CASE_TEMPLATE("constant writes its numbers in order", T, float, double) {
  auto const type = sizeof(T) == 8 ? DataType::f64 : DataType::f32;
  for (std::size_t count : {1, 7, 1000}) {
    operators::constant constant;
    for (std::size_t i = 0; i < count; ++i)
      constant.values.push_back(1.0 / static_cast<double>(i + 1));
    constant.shape = Shape({{static_cast<std::int64_t>(count), false}});
    constant.type = type;
    Operator const op = constant;
    for (auto const& implementation : kernels::implementations(op.index())) {
      CAPTURE(implementation.name);
      testing::KernelCase one(op, {}, 0);
      REQUIRE(one.accepts(implementation));
      auto const written = one.run(implementation).front();
      for (std::size_t i = 0; i < count; ++i)
        CHECK(written[i] == static_cast<double>(static_cast<T>(constant.values[i])));
    }
  }
}
