// gather and scatter: batched, tables, indices that name nothing, sums in order.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/kernel_case.hpp"

using namespace lbann;
using operators::gather;
using operators::scatter;
using testing::KernelCase;
using testing::Values;

namespace {

/// A gather from `values` at `indices`, and the scatter that is its transpose.
struct Transposes {
  gather forward;
  Shape values, indices;

  TensorType named(DataType type) const {
    TensorTypes const inputs{{type, values}, {DataType::i64, indices}};
    return forward.infer(inputs).value()[0];
  }
  scatter backward() const { return {values, forward.axis, forward.batch_axes}; }
};

std::vector<Transposes> transposes() {
  return {
      {{1, 1}, Shape{batch_extent, {7}}, Shape{batch_extent, {5}}},
      {{1, 1}, Shape{batch_extent, {7}, {3}}, Shape{batch_extent, {5}}},
      {{2, 1}, Shape{batch_extent, {3}, {7}}, Shape{batch_extent, {1}}},
      {{2, 1}, Shape{batch_extent, {3}, {7}, {4}}, Shape{batch_extent, {2}, {5}}},
      {{2, 0}, Shape{batch_extent, {3}, {7}, {2}}, Shape{{5}}},
      {{0, 0}, Shape{{1}, {4}}, Shape{batch_extent, {6}}},
      {{0, 0}, Shape{{7}, {1}}, Shape{batch_extent, {3}, {2}}},
      {{0, 0}, Shape{{1000}, {130}}, Shape{batch_extent, {9}}},
      {{0, 0}, Shape{{9001}}, Shape{batch_extent, {40}}},
      {{1, 1}, Shape{batch_extent, {2}, {9000}}, Shape{batch_extent, {3}}},
      {{1, 1}, Shape{batch_extent, {300}}, Shape{batch_extent, {700}}},
      {{0, 0}, Shape{{9}, {700}}, Shape{batch_extent, {20}}},
  };
}

}  // namespace

TEST_CASE("gather and scatter: all implementations agree") {
  for (auto const& each : transposes())
    for (auto index : {DataType::f32, DataType::f64, DataType::i32, DataType::i64})
      for (std::int64_t samples : {0, 1, 3, 17}) {
        TensorType const indices{index, each.indices};
        auto const extent = static_cast<double>(
            each.values.extents[static_cast<std::size_t>(each.forward.axis)].size);
        // Some indices lie beyond the end, and with floating ones some before the beginning.
        auto const check = [&](Operator const& op, TensorType const& values, unsigned seed) {
          KernelCase c(op, {values, indices}, samples);
          c.fill(seed, -1.5, 1.2 * extent);
          auto data = KernelCase(op, {values, indices}, samples).fill(seed + 1).input(0);
          c.set(0, data).check();
        };
        check(each.forward, {DataType::f32, each.values}, 1);
        check(each.backward(), each.named(DataType::f32), 2);
        if (index != DataType::i64) continue;
        check(each.forward, {DataType::f64, each.values}, 3);
        check(each.forward, {DataType::u8, each.values}, 4);
        check(each.forward, {DataType::i32, each.values}, 5);
        check(each.backward(), each.named(DataType::f64), 6);
      }
}

TEST_CASE("gather and scatter: larger than caches") {
  auto const check = [](Transposes const& each, DataType type, DataType index, std::int64_t samples,
                        bool both) {
    TensorTypes const inputs{each.named(type), {index, each.indices}};
    auto const extent =
        static_cast<double>(each.values.extents[static_cast<std::size_t>(each.forward.axis)].size);
    KernelCase scatters(each.backward(), inputs, samples);
    auto const data = scatters.fill(1).input(0);
    scatters.fill(2, -2.5, 1.1 * extent).set(0, data).check();
    if (both)
      KernelCase(each.forward, {{type, each.values}, {index, each.indices}}, samples)
          .fill(3, -2.5, 1.1 * extent)
          .check();
  };
  // Rows whose picks are sorted: of one part and of more, with outer axes, longer than a range.
  for (auto index : {DataType::f32, DataType::f64, DataType::i32, DataType::i64})
    for (std::int64_t samples : {0, 1, 3})
      check({{0, 0}, Shape{{5000}, {70}}, Shape{batch_extent, {3001}}}, DataType::f32, index,
            samples, false);
  for (std::int64_t samples : {0, 1, 3}) {
    check({{0, 0}, Shape{{300}, {600}}, Shape{batch_extent, {77}}}, DataType::f64, DataType::f32,
          samples, false);
    check({{2, 1}, Shape{batch_extent, {2}, {2100}, {130}}, Shape{batch_extent, {50}}},
          DataType::f32, DataType::i32, samples, false);
    check({{0, 0}, Shape{{40}, {9000}}, Shape{batch_extent, {5}}}, DataType::f32, DataType::i64,
          samples, false);
  }
  // Sums and runs written with non-temporal stores; of several threads, and with fewer picks than
  // places.
  testing::NonTemporalStores const always(1);
  for (std::int64_t samples : {0, 1, 3, 170}) {
    check({{1, 1}, Shape{batch_extent, {4096}}, Shape{batch_extent, {70}}}, DataType::f32,
          DataType::f32, samples, false);
    check({{1, 1}, Shape{batch_extent, {48}}, Shape{batch_extent, {700}}}, DataType::f64,
          DataType::i64, samples, false);
    check({{2, 1}, Shape{batch_extent, {2}, {48}}, Shape{batch_extent, {3}}}, DataType::f32,
          DataType::i32, samples, false);
    check({{0, 0}, Shape{{4096}}, Shape{batch_extent, {40}}}, DataType::f32, DataType::f64, samples,
          false);
    check({{0, 0}, Shape{{300}, {130}}, Shape{batch_extent, {33}}}, DataType::f32, DataType::f32,
          samples, true);
  }
}

TEST_CASE("scatter: many values for few of many places, in their order") {
  std::int64_t const picks = 20000, inner = 33;
  scatter const op{Shape{{9000}, {inner}}, 0, 0};
  TensorTypes const inputs{{DataType::f32, Shape{{picks}, {inner}}},
                           {DataType::i32, Shape{{picks}}}};
  Values places(static_cast<std::size_t>(picks));
  for (std::size_t p = 0; p < places.size(); ++p)
    places[p] = p % 3 == 0 ? 8999 : p % 3 == 1 ? 17 : p % 7 == 0 ? -1 : 9000;
  KernelCase(op, inputs, 1).fill(4, 0, 1e-3).set(1, places).check();
}

TEST_CASE("gather and scatter: what indices name") {
  double const nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  TensorType const table{DataType::f32, Shape{{3}, {2}}};
  TensorType const indices{DataType::f32, Shape{batch_extent, {4}}};
  Operator const lookup = gather{0, 0}, sum = scatter{table.shape, 0, 0};
  for (auto const name : testing::families()) {
    CHECK(KernelCase(lookup, {table, indices}, 2)
              .set(0, {1, 2, 3, 4, 5, 6})
              .set(1, {2.9, -0.5, 0, 3, nan, -inf, inf, 1.5})
              .run(*testing::implementation_of(lookup, name))[0] ==
          Values{5, 6, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 3, 4});
    // Duplicates of both samples are added.
    CHECK(KernelCase(sum, {{DataType::f32, Shape{batch_extent, {4}, {2}}}, indices}, 2)
              .set(0, {1, 2, 3, 4, 5, 6, 7, 8, 10, 20, 30, 40, 50, 60, 70, 80})
              .set(1, {2, 2, -1, 0, 2, nan, 3, 0.5})
              .run(*testing::implementation_of(sum, name))[0] == Values{77, 88, 0, 0, 14, 26});
  }
}

TEST_CASE("scatter is the transpose of gather") {
  for (auto const& each : transposes()) {
    TensorType const values{DataType::f64, each.values}, indices{DataType::i64, each.indices};
    auto const named = each.named(DataType::f64);
    auto const extent =
        static_cast<double>(each.values.extents[static_cast<std::size_t>(each.forward.axis)].size);
    auto const places =
        KernelCase(each.forward, {values, indices}, 3).fill(1, 0, 1.2 * extent).input(1);
    KernelCase forward(each.forward, {values, indices}, 3);
    KernelCase backward(each.backward(), {named, indices}, 3);
    forward.fill(2).set(1, places);
    backward.fill(3).set(1, places);
    auto const dot = [](Values const& a, Values const& b) {
      double total = 0;
      for (std::size_t i = 0; i < a.size(); ++i) total += a[i] * b[i];
      return total;
    };
    auto const taken = forward.run(*testing::implementation_of(each.forward, testing::family()))[0];
    auto const added =
        backward.run(*testing::implementation_of(each.backward(), testing::family()))[0];
    CHECK(dot(taken, backward.input(0)) ==
          doctest::Approx(dot(forward.input(0), added)).epsilon(1e-12));
  }
}
