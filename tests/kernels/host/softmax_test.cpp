// softmax and cross entropy, their gradients and their fusion: against the reference, and each
// other.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/kernel_case.hpp"

using namespace lbann;
using testing::KernelCase;
using testing::Values;

namespace {

Shape const samples_of_shape[] = {Shape{batch_extent, {1}}, Shape{batch_extent, {10}},
                                  Shape{batch_extent, {17}}, Shape{batch_extent, {3}, {5}, {7}},
                                  Shape{batch_extent, {1500}}};

/// Probabilities whose rows sum to one, some of them below 0.01.
Values probabilities(std::size_t rows, std::size_t columns) {
  Values p(rows * columns);
  for (std::size_t r = 0; r < rows; ++r) {
    double sum = 0;
    for (std::size_t c = 0; c < columns; ++c)
      sum += p[r * columns + c] = std::exp(6 * std::sin(1.0 + static_cast<double>(r * 7 + c * c)));
    for (std::size_t c = 0; c < columns; ++c) p[r * columns + c] /= sum;
  }
  return p;
}

}  // namespace

TEST_CASE("softmax: all implementations agree") {
  for (auto type : testing::floating_types)
    for (auto const& shape : samples_of_shape)
      for (auto samples : testing::batches)
        for (double range : {2.0, 80.0, 300.0})
          for (double minimum : {0.0, 1e-3}) {
            KernelCase(operators::softmax{false, minimum}, {{type, shape}}, samples)
                .fill(1, -range, range)
                .check();
            KernelCase(operators::softmax{true, 0}, {{type, shape}}, samples)
                .fill(2, -range, range)
                .check();
            KernelCase(operators::softmax_cross_entropy{minimum}, {{type, shape}, {type, shape}},
                       samples)
                .fill(3, -range, range)
                .check(type == DataType::f64 ? 1e-11 : 3e-4);
          }
}

TEST_CASE("softmax_gradient and softmax_cross_entropy_gradient: all implementations agree") {
  for (auto type : testing::floating_types)
    for (auto const& shape : samples_of_shape)
      for (auto samples : testing::batches)
        for (double minimum : {0.0, 0.01}) {
          TensorType const t{type, shape}, loss{type, Shape{batch_extent, {1}}};
          auto const columns = static_cast<std::size_t>(shape.elements(1));
          auto p = probabilities(static_cast<std::size_t>(samples), columns);
          for (auto& value : p) {
            if (type == DataType::f32) value = static_cast<float>(value);
            if (minimum > 0)
              value = std::max(value, static_cast<double>(static_cast<float>(minimum)));
          }
          auto const clamp = static_cast<double>(static_cast<float>(minimum));
          KernelCase(operators::softmax_gradient{false, clamp}, {t, t}, samples)
              .fill(1)
              .set(0, p)
              .check();
          KernelCase(operators::softmax_gradient{true, 0}, {t, t}, samples)
              .fill(2, -5, 0)
              .check(type == DataType::f64 ? 1e-12 : 1e-3);
          KernelCase(operators::softmax_cross_entropy_gradient{clamp}, {t, t, loss}, samples)
              .fill(3, 0, 1)
              .set(0, p)
              .check(type == DataType::f64 ? 1e-11 : 1e-4);
        }
}

TEST_CASE("softmax over any axes: all implementations agree") {
  Shape const shapes[] = {Shape{batch_extent, {3}, {5}, {7}}, Shape{batch_extent, {1}, {4}, {1}},
                          Shape{batch_extent, {600}, {2}, {3}},
                          Shape{batch_extent, {2}, {3}, {700}},
                          Shape{batch_extent, {600}, {5}, {8}}};
  for (auto type : testing::floating_types)
    for (auto const& shape : shapes)
      for (std::int64_t samples : {0, 1, 3})
        for (std::int64_t axis : {1, 2, 3})
          for (std::int64_t inner = 0; inner <= 4 - axis; ++inner) {
            TensorType const t{type, shape};
            auto const wide = type == DataType::f64;
            KernelCase(operators::softmax{false, 1e-3, axis, inner}, {t}, samples)
                .fill(1, -8, 8)
                .check();
            KernelCase(operators::softmax{true, 0, axis, inner}, {t}, samples)
                .fill(2, -8, 8)
                .check();
            KernelCase(operators::softmax_gradient{false, 0.25, axis, inner}, {t, t}, samples)
                .fill(3, 0, 1)
                .check(wide ? 1e-11 : 1e-3);
            KernelCase(operators::softmax_gradient{true, 0, axis, inner}, {t, t}, samples)
                .fill(4, -5, 0)
                .check(wide ? 1e-11 : 1e-3);
          }
}

TEST_CASE("softmax: results written with non-temporal stores") {
  testing::NonTemporalStores const always(1);
  for (auto type : testing::floating_types)
    for (auto const& shape : {Shape{batch_extent, {1024}}, Shape{batch_extent, {777}}})
      for (std::int64_t samples : {0, 1, 50}) {
        TensorType const t{type, shape};
        KernelCase(operators::softmax{false, 1e-3}, {t}, samples).fill(1, -8, 8).check();
        KernelCase(operators::softmax{true, 0}, {t}, samples).fill(2, -8, 8).check();
        KernelCase(operators::softmax_cross_entropy{1e-3}, {t, t}, samples)
            .fill(3, -8, 8)
            .check(type == DataType::f64 ? 1e-11 : 3e-4);
      }
}

TEST_CASE("softmax of channels: results written with non-temporal stores") {
  testing::NonTemporalStores const always(1);
  for (auto type : testing::floating_types)
    for (auto const& shape : {Shape{batch_extent, {5}, {16}, {70}}, Shape{batch_extent, {5}, {7}}})
      for (std::int64_t samples : {0, 1, 3}) {
        TensorType const t{type, shape};
        auto const tolerance = type == DataType::f64 ? 1e-11 : 1e-3;
        KernelCase(operators::softmax{false, 1e-3, 1, static_cast<std::int64_t>(shape.rank()) - 2},
                   {t}, samples)
            .fill(1, -8, 8)
            .check();
        for (bool logarithm : {false, true})
          KernelCase(operators::softmax_gradient{logarithm, logarithm ? 0 : 0.25, 1,
                                                 static_cast<std::int64_t>(shape.rank()) - 2},
                     {t, t}, samples)
              .fill(2, logarithm ? -5 : 0, logarithm ? 0 : 1)
              .check(tolerance);
      }
}

TEST_CASE("softmax: known values, infinities, NaN") {
  Shape const shape{batch_extent, {4}};
  double const inf = INFINITY;
  for (auto const name : testing::families()) {
    Operator const op = operators::softmax{};
    auto const one = [&](Values x) {
      return KernelCase(op, {{DataType::f64, shape}}, 1)
          .set(0, std::move(x))
          .run(*testing::implementation_of(op, name))[0];
    };
    CHECK(one({0, 0, 0, 0}) == Values{0.25, 0.25, 0.25, 0.25});
    CHECK(one({1000, -1000, -inf, -1000}) == Values{1, 0, 0, 0});
    for (auto value : one({1, std::nan(""), 2, 3})) CHECK(std::isnan(value));
    auto const y = one({0, 1, 2, 3});
    CHECK(y[1] / y[0] == doctest::Approx(std::exp(1)));
    CHECK(y[0] + y[1] + y[2] + y[3] == doctest::Approx(1));

    // Entries of the target that are 0 do not count, even where the logarithm is infinite.
    Operator const loss = operators::softmax_cross_entropy{};
    auto const results = KernelCase(loss, {{DataType::f64, shape}, {DataType::f64, shape}}, 1)
                             .set(0, {0, std::log(3), -inf, -inf})
                             .set(1, {0, 1, 0, 0})
                             .run(*testing::implementation_of(loss, name));
    CHECK(results[0][1] == doctest::Approx(0.75));
    CHECK(results[1][0] == doctest::Approx(-std::log(0.75)));
    // The clamp bounds the loss.
    Operator const clamped = operators::softmax_cross_entropy{1e-6};
    auto const far = KernelCase(clamped, {{DataType::f64, shape}, {DataType::f64, shape}}, 1)
                         .set(0, {0, 5000, 0, 0})
                         .set(1, {1, 0, 0, 0})
                         .run(*testing::implementation_of(clamped, name));
    CHECK(far[0][0] == 1e-6);
    CHECK(far[1][0] == doctest::Approx(-std::log(1e-6)));
  }
}

TEST_CASE("softmax_cross_entropy_gradient is the two gradients one after the other") {
  Shape const shape{batch_extent, {9}};
  TensorType const t{DataType::f64, shape};
  for (double minimum : {0.0, 0.02}) {
    auto p = probabilities(3, 9);
    for (auto& value : p) value = std::max(value, minimum);
    auto const target = probabilities(3, 9);
    Values const dloss{1, -2, 0.5};
    Values dp(p.size());
    for (std::size_t i = 0; i < p.size(); ++i) dp[i] = -dloss[i / 9] * target[i] / p[i];
    Operator const gradient = operators::softmax_gradient{false, minimum};
    Operator const fused = operators::softmax_cross_entropy_gradient{minimum};
    auto const a = KernelCase(gradient, {t, t}, 3)
                       .set(0, p)
                       .set(1, dp)
                       .run(*testing::implementation_of(gradient, "reference"))[0];
    auto const b = KernelCase(fused, {t, t, {DataType::f64, Shape{batch_extent, {1}}}}, 3)
                       .set(0, p)
                       .set(1, target)
                       .set(2, dloss)
                       .run(*testing::implementation_of(fused, "reference"))[0];
    for (std::size_t i = 0; i < a.size(); ++i) CHECK(a[i] == doctest::Approx(b[i]).epsilon(1e-12));
  }
}
