// moments, normalise and its gradient, sample_index: against the reference, and where numbers
// cancel.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/kernel_case.hpp"

using namespace lbann;
using testing::KernelCase;
using testing::Values;

namespace {

Shape const shapes[] = {Shape{batch_extent, {1}},           Shape{batch_extent, {7}},
                        Shape{batch_extent, {700}},         Shape{batch_extent, {3}, {5}},
                        Shape{batch_extent, {2}, {3}, {1}}, Shape{batch_extent, {5}, {7}, {9}},
                        Shape{batch_extent, {2}, {1500}},   Shape{batch_extent, {1}, {1}, {65}}};

}  // namespace

TEST_CASE("moments: every choice of axes") {
  for (auto type : testing::floating_types)
    for (auto const& shape : shapes)
      for (unsigned choice = 0; choice < 1u << shape.rank(); ++choice)
        for (std::int64_t samples : {0, 1, 17}) {
          std::vector<std::int64_t> axes;
          for (std::size_t i = 0; i < shape.rank(); ++i)
            if ((choice >> i & 1) != 0) axes.push_back(static_cast<std::int64_t>(i));
          KernelCase(operators::moments{axes}, {{type, shape}}, samples)
              .fill(1)
              .check(type == DataType::f64 ? 1e-11 : 1e-4);
        }
}

TEST_CASE("moments: shapes cut into many pieces") {
  for (auto const& shape :
       {Shape{{70}, {600}, {1}}, Shape{{16}, {8}, {400}}, Shape{{1}, {3}, {50000}},
        Shape{{40}, {2}, {2500}}, Shape{{5000}, {3}, {7}}, Shape{{8}, {200}, {49}},
        Shape{{13}, {70}, {196}}, Shape{{3}, {40}, {1031}}})
    for (auto const& axes : std::vector<std::vector<std::int64_t>>{{0, 2}, {0}, {2}, {0, 1, 2}})
      KernelCase(operators::moments{axes}, {{DataType::f32, shape}}, 1).fill(2).check(2e-4);
}

TEST_CASE("moments: a large mean takes nothing from the deviations") {
  for (auto const name : testing::families())
    for (auto const& shape : {Shape{batch_extent, {2}, {100}}, Shape{batch_extent, {2}, {3}}}) {
      Operator const op = operators::moments{{0, 2}};
      std::int64_t const samples = 40;
      Values x(static_cast<std::size_t>(shape.elements(samples)));
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1e8 + (i % 2 == 0 ? 0.5 : -0.5);
      auto const found = KernelCase(op, {{DataType::f64, shape}}, samples)
                             .set(0, x)
                             .run(*testing::implementation_of(op, name));
      auto const count = static_cast<double>(shape.elements(samples)) / 2;
      CHECK(found[0][0] == count);
      for (auto const mean : found[1]) CHECK(std::abs(mean - 1e8) < 0.5);
      // Rows of 3 hold one more of one kind than of the other.
      auto const off = shape.extents[2].size == 3 ? 0.5 / 3 : 0;
      for (auto const m2 : found[2])
        CHECK(m2 == doctest::Approx((0.25 - off * off) * count).epsilon(1e-7));
    }
}

TEST_CASE("moments: the first numbers of a row may lie far from all others") {
  for (auto const name : testing::families())
    for (std::int64_t const row : {49, 700, 5000}) {
      Operator const op = operators::moments{{0, 2}};
      Shape const shape{batch_extent, {1}, {row}};
      Values x(static_cast<std::size_t>(shape.elements(20)));
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = i < 32 ? 1e4 : i % 2 == 0 ? 0.5 : -0.5;
      auto const found = KernelCase(op, {{DataType::f32, shape}}, 20)
                             .set(0, x)
                             .run(*testing::implementation_of(op, name));
      auto const count = static_cast<double>(x.size()), mean = 32 * 1e4 / count;
      CHECK(found[1][0] == doctest::Approx(mean).epsilon(1e-6));
      CHECK(found[2][0] ==
            doctest::Approx(32 * 1e8 + 0.25 * (count - 32) - mean * mean * count).epsilon(1e-5));
    }
}

TEST_CASE("normalise and its gradient: all implementations agree") {
  for (auto type : testing::floating_types)
    for (auto const& shape : shapes)
      for (std::int64_t axis = 1; axis <= static_cast<std::int64_t>(shape.rank()); ++axis)
        for (std::int64_t samples : {0, 1, 3, 35})
          for (bool scale : {false, true})
            for (bool bias : {false, true}) {
              TensorType const x{type, shape};
              TensorType outer{type, {}}, row{type, {}};
              for (std::size_t i = 0; i < shape.rank(); ++i)
                (static_cast<std::int64_t>(i) < axis ? outer : row)
                    .shape.extents.push_back(shape.extents[i]);
              TensorTypes inputs = {x};
              if (scale) inputs.push_back(row);
              if (bias) inputs.push_back(row);
              auto const tolerance = type == DataType::f64 ? 1e-9 : 2e-3;
              KernelCase(operators::normalise{axis, 1e-2, scale, bias}, inputs, samples)
                  .fill(3)
                  .check(tolerance);
              inputs = {x, outer, outer, x};
              if (scale) inputs.push_back(row);
              KernelCase(operators::normalise_gradient{axis, scale, bias}, inputs, samples)
                  .fill(4, 0, 1)
                  .check(tolerance);
            }
}

TEST_CASE("normalise and its gradient: results written with non-temporal stores") {
  testing::NonTemporalStores const always(1);
  for (auto type : testing::floating_types)
    for (std::int64_t columns : {16, 100, 1024})
      for (std::int64_t samples : {0, 1, 35})
        for (bool scale : {false, true})
          for (bool bias : {false, true}) {
            TensorType const x{type, Shape{batch_extent, {columns}}}, row{type, Shape{{columns}}};
            TensorType const number{type, Shape{batch_extent}};
            auto const tolerance = type == DataType::f64 ? 1e-9 : 2e-3;
            TensorTypes inputs = {x};
            if (scale) inputs.push_back(row);
            if (bias) inputs.push_back(row);
            KernelCase(operators::normalise{1, 1e-2, scale, bias}, inputs, samples)
                .fill(5)
                .check(tolerance);
            inputs = {x, number, number, x};
            if (scale) inputs.push_back(row);
            KernelCase(operators::normalise_gradient{1, scale, bias}, inputs, samples)
                .fill(6, 0, 1)
                .check(tolerance);
          }
}

TEST_CASE("normalise: known values") {
  Operator const op = operators::normalise{1, 0, true, true};
  TensorType const x{DataType::f64, Shape{batch_extent, {2}}}, row{DataType::f64, Shape{{2}}};
  for (auto const name : testing::families()) {
    auto const found = KernelCase(op, {x, row, row}, 2)
                           .set(0, {1, 3, 1e9, 1e9 + 4})
                           .set(1, {1, 10})
                           .set(2, {0, 5})
                           .run(*testing::implementation_of(op, name));
    CHECK(found[0] == Values{-1, 15, -1, 15});
    CHECK(found[1] == Values{2, 1e9 + 2});
    CHECK(found[2] == Values{1, 0.5});
  }
}

TEST_CASE("sample_index: all implementations agree") {
  for (std::int64_t samples : {0, 1, 17})
    KernelCase(operators::sample_index{}, {{DataType::i64, {}}}, samples).set(0, {41}).check(0);
}
