// sparse_softmax_cross_entropy and its gradient: against the reference, and against softmax and
// cross entropy of one-hot vectors.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/kernel_case.hpp"

using namespace lbann;
using testing::KernelCase;
using testing::Values;

namespace {

struct Scores {
  Shape shape;
  std::int64_t axis;

  Shape labels() const {
    Shape one = shape;
    one.extents[static_cast<std::size_t>(axis)] = {1, false};
    return one;
  }
  std::int64_t classes() const { return shape.extents[static_cast<std::size_t>(axis)].at(1); }
};

Scores const all_scores[] = {{Shape{batch_extent, {1}}, 1},
                             {Shape{batch_extent, {17}}, 1},
                             {Shape{batch_extent, {1500}}, 1},
                             {Shape{batch_extent, {5}, {7}}, 1},
                             {Shape{batch_extent, {5}, {130}}, 2},
                             {Shape{batch_extent, {40}, {3}, {300}}, 1},
                             {Shape{batch_extent, {3}, {600}, {5}}, 2}};

/// Numbers of classes, between them some before the first and beyond the last.
Values labels_for(Scores const& scores, std::int64_t samples, bool whole) {
  Values labels(static_cast<std::size_t>(scores.labels().elements(samples)));
  for (std::size_t i = 0; i < labels.size(); ++i) {
    labels[i] = static_cast<double>(static_cast<std::int64_t>(7 * i + 3) % (scores.classes() + 2));
    labels[i] += whole ? -1 : -0.75;
  }
  return labels;
}

}  // namespace

TEST_CASE("sparse_softmax_cross_entropy: all implementations agree") {
  for (auto const type : testing::floating_types)
    for (auto const named : {DataType::f32, DataType::i32, DataType::f64, DataType::i64})
      for (auto const& scores : all_scores)
        for (std::int64_t const samples : {0, 1, 3})
          for (double const range : {2.0, 80.0})
            for (double const minimum : {0.0, 1e-3}) {
              CAPTURE(to_text(scores.shape));
              KernelCase(operators::sparse_softmax_cross_entropy{scores.axis, minimum},
                         {{type, scores.shape}, {named, scores.labels()}}, samples)
                  .fill(1, -range, range)
                  .set(1, labels_for(scores, samples, named != DataType::f32))
                  .check(type == DataType::f64 ? 1e-12 : 1e-5);
            }
}

TEST_CASE("sparse_softmax_cross_entropy_gradient: all implementations agree") {
  for (auto const type : testing::floating_types)
    for (auto const named : {DataType::f32, DataType::i64})
      for (auto const& scores : all_scores)
        for (std::int64_t const samples : {0, 1, 3})
          for (double const minimum : {0.0, 1e-3}) {
            CAPTURE(to_text(scores.shape));
            TensorType const rows{type, scores.labels()};
            Values log_sums(static_cast<std::size_t>(scores.labels().elements(samples)));
            for (std::size_t i = 0; i < log_sums.size(); ++i)
              log_sums[i] = 6 + std::sin(static_cast<double>(i));
            if (type == DataType::f32)
              for (auto& value : log_sums) value = static_cast<float>(value);
            KernelCase(operators::sparse_softmax_cross_entropy_gradient{scores.axis, minimum},
                       {{type, scores.shape}, {named, scores.labels()}, rows, rows, rows}, samples)
                .fill(2, -6, 6)
                .set(1, labels_for(scores, samples, named != DataType::f32))
                .set(3, log_sums)
                .check(type == DataType::f64 ? 1e-12 : 1e-5);
          }
}

TEST_CASE("gradients of softmax and cross entropy: in the memory of an input") {
  for (auto const type : testing::floating_types)
    for (auto const& scores : all_scores) {
      CAPTURE(to_text(scores.shape));
      TensorType const rows{type, scores.labels()}, entries{type, scores.shape};
      auto const wide = type == DataType::f64;
      KernelCase(operators::sparse_softmax_cross_entropy_gradient{scores.axis, 1e-3},
                 {entries, rows, rows, rows, rows}, 3)
          .fill(2, -6, 6)
          .set(1, labels_for(scores, 3, false))
          .in_place(0, 0)
          .check(wide ? 1e-12 : 1e-5);
      auto const inner = static_cast<std::int64_t>(scores.shape.rank()) - scores.axis - 1;
      for (std::size_t const input : {0, 1}) {
        KernelCase(operators::softmax_gradient{false, 0.25, scores.axis, inner}, {entries, entries},
                   3)
            .fill(3, 0, 1)
            .in_place(input, 0)
            .check(wide ? 1e-11 : 1e-3);
        KernelCase(operators::softmax_cross_entropy_gradient{0.01},
                   {entries, entries, {type, Shape{batch_extent, {1}}}}, 3)
            .fill(4, 0, 1)
            .in_place(input, 0)
            .check(wide ? 1e-11 : 1e-3);
      }
    }
}

TEST_CASE("sparse_softmax_cross_entropy: known values") {
  TensorType const scores{DataType::f64, Shape{batch_extent, {4}}};
  TensorType const label{DataType::f64, Shape{batch_extent, {1}}};
  double const inf = INFINITY, nan = std::nan("");
  for (auto const name : testing::families()) {
    Operator const op = operators::sparse_softmax_cross_entropy{};
    auto const loss = [&](Values x, double named) {
      return KernelCase(op, {scores, label}, 1)
          .set(0, std::move(x))
          .set(1, {named})
          .run(*testing::implementation_of(op, name))[0][0];
    };
    CHECK(loss({0, 0, 0, 0}, 2) == doctest::Approx(std::log(4)));
    CHECK(loss({0, std::log(3), -inf, -inf}, 1.5) == doctest::Approx(-std::log(0.75)));
    CHECK(loss({1e6, 0, 0, 0}, 3) == 1e6);
    CHECK(loss({0, 0, -inf, 0}, 2) == inf);
    CHECK(std::isnan(loss({0, nan, 0, 0}, 0)));
    for (double const none : {-1.0, -0.5, 4.0, 1e30, inf, nan})
      CHECK(loss({1, 2, 3, 4}, none) == 0);

    Operator const clamped = operators::sparse_softmax_cross_entropy{1, 1e-6};
    auto const far = KernelCase(clamped, {scores, label}, 1)
                         .set(0, {0, 5000, 0, 0})
                         .set(1, {0})
                         .run(*testing::implementation_of(clamped, name));
    CHECK(far[0][0] == doctest::Approx(-std::log(1e-6)));
    CHECK(far[1][0] == 5000);
  }
}

TEST_CASE("sparse_softmax_cross_entropy is softmax_cross_entropy of one-hot vectors") {
  constexpr std::int64_t samples = 4, classes = 9;
  TensorType const scores{DataType::f64, Shape{batch_extent, {classes}}};
  TensorType const one{DataType::f64, Shape{batch_extent, {1}}};
  Values const labels{0, 8, 3, 4}, dloss{1, -2, 0.5, 3};
  Values x(samples * classes), one_hot(x.size(), 0);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 5 * std::sin(1.0 + static_cast<double>(i * i));
  for (std::size_t s = 0; s < samples; ++s)
    one_hot[s * classes + static_cast<std::size_t>(labels[s])] = 1;
  // Labels below the clamp and above it.
  x[0] = -9;
  x[2 * classes + 3] = 4;
  for (double const minimum : {0.0, 0.02}) {
    Operator const dense = operators::softmax_cross_entropy{minimum};
    Operator const dense_gradient = operators::softmax_cross_entropy_gradient{minimum};
    Operator const sparse = operators::sparse_softmax_cross_entropy{1, minimum};
    Operator const sparse_gradient = operators::sparse_softmax_cross_entropy_gradient{1, minimum};
    auto const p = KernelCase(dense, {scores, scores}, samples)
                       .set(0, x)
                       .set(1, one_hot)
                       .run(*testing::implementation_of(dense, "reference"));
    auto const expected = KernelCase(dense_gradient, {scores, scores, one}, samples)
                              .set(0, p[0])
                              .set(1, one_hot)
                              .set(2, dloss)
                              .run(*testing::implementation_of(dense_gradient, "reference"))[0];
    for (auto const name : testing::families()) {
      auto const losses = KernelCase(sparse, {scores, one}, samples)
                              .set(0, x)
                              .set(1, labels)
                              .run(*testing::implementation_of(sparse, name));
      for (std::size_t s = 0; s < samples; ++s)
        CHECK(losses[0][s] == doctest::Approx(p[1][s]).epsilon(1e-12));
      auto const dx = KernelCase(sparse_gradient, {scores, one, one, one, one}, samples)
                          .set(0, x)
                          .set(1, labels)
                          .set(2, losses[0])
                          .set(3, losses[1])
                          .set(4, dloss)
                          .run(*testing::implementation_of(sparse_gradient, name))[0];
      for (std::size_t i = 0; i < dx.size(); ++i)
        CHECK(dx[i] == doctest::Approx(expected[i]).epsilon(1e-12));
    }
  }
}
