// pooling and its gradient: every mode and rank, padding, windows that overlap or leave entries
// out.
#include <doctest/doctest.h>

#include <limits>

#include "tests/support/kernel_case.hpp"

using namespace lbann;
using operators::PoolMode;
using testing::KernelCase;

namespace {

struct Window {
  std::vector<std::int64_t> image, extent, stride, padding;
};

Window const windows[] = {{{8, 8}, {2, 2}, {2, 2}, {0, 0}},
                          {{7, 9}, {2, 2}, {2, 2}, {0, 0}},
                          {{2, 3}, {2, 2}, {2, 2}, {0, 0}},
                          {{24, 24}, {2, 2}, {2, 2}, {0, 0}},
                          {{6, 70}, {2, 2}, {2, 2}, {0, 0}},
                          {{5, 33}, {2, 2}, {2, 2}, {0, 0}},
                          {{7, 5}, {3, 3}, {2, 2}, {1, 1}},
                          {{5, 5}, {3, 2}, {1, 2}, {1, 0}},
                          {{9, 40}, {3, 3}, {2, 2}, {1, 1}},
                          {{4, 300}, {2, 3}, {1, 1}, {1, 2}},
                          {{5, 70}, {3, 5}, {2, 3}, {0, 2}},
                          {{6, 83}, {2, 4}, {1, 2}, {1, 1}},
                          {{7, 7}, {7, 7}, {1, 1}, {0, 0}},
                          {{3, 3, 5}, {3, 3, 5}, {2, 1, 1}, {0, 0, 0}},
                          {{16, 16}, {3, 3}, {2, 2}, {1, 1}},
                          {{9}, {2}, {3}, {0}},
                          {{1}, {1}, {1}, {0}},
                          {{26, 26}, {26, 26}, {1, 1}, {0, 0}},
                          {{20, 37}, {9, 3}, {1, 1}, {4, 1}},
                          {{5, 4, 34}, {2, 3, 3}, {2, 2, 2}, {1, 1, 1}},
                          {{4, 5, 3}, {2, 2, 2}, {2, 1, 1}, {1, 0, 1}},
                          {{14, 35}, {1, 1}, {2, 2}, {0, 0}},
                          {{9, 7}, {1, 1}, {4, 3}, {0, 0}},
                          {{5, 4, 34}, {1, 1, 1}, {2, 3, 1}, {0, 0, 0}}};

TensorType images(DataType type, std::int64_t channels, std::vector<std::int64_t> const& extents) {
  TensorType images{type, Shape{batch_extent, {channels}}};
  for (auto extent : extents) images.shape.extents.push_back({extent});
  return images;
}

}  // namespace

TEST_CASE("pooling and pooling_gradient equal the reference") {
  for (auto type : {DataType::f32, DataType::f64})
    for (auto mode : {PoolMode::max, PoolMode::average, PoolMode::average_no_pad})
      for (auto const& window : windows)
        for (auto samples : {0, 1, 2, 3, 17}) {
          operators::pooling const op{mode, window.extent, window.stride, window.padding};
          auto const x = images(type, 3, window.image);
          KernelCase(op, {x}, samples).fill(7).check();
          TensorType const inputs[] = {x};
          auto const y = op.infer(inputs);
          REQUIRE(y.good());
          operators::pooling_gradient const gradient{mode, window.extent, window.stride,
                                                     window.padding};
          KernelCase(gradient, {x, y.value()[0]}, samples).fill(8).check();
        }
}

TEST_CASE("windows of one entry pick and spread entries of 16 bits") {
  for (auto mode : {PoolMode::max, PoolMode::average})
    for (auto const& extents : {std::vector<std::int64_t>{14, 35}, {9, 7}}) {
      auto const x = images(DataType::bf16, 3, extents);
      operators::pooling const op{mode, {1, 1}, {2, 3}, {0, 0}};
      TensorType const inputs[] = {x};
      auto const y = op.infer(inputs);
      REQUIRE(y.good());
      for (auto samples : testing::batches) {
        KernelCase(op, {x}, samples).fill(5).check(0);
        operators::pooling_gradient const gradient{mode, {1, 1}, {2, 3}, {0, 0}};
        KernelCase(gradient, {x, y.value()[0]}, samples).fill(6).check(0);
      }
    }
}

TEST_CASE("means of NaN and of infinities are the reference's") {
  for (std::int64_t step : {1, 2}) {
    auto const x = images(DataType::f32, 2, {6, 37});
    for (auto mode : {PoolMode::average, PoolMode::average_no_pad}) {
      operators::pooling const op{mode, {3, 3}, {step, step}, {1, 1}};
      KernelCase means(op, {x}, 2);
      means.fill(4).input(0)[40] = std::numeric_limits<double>::quiet_NaN();
      means.input(0).back() = std::numeric_limits<double>::infinity();
      means.check();
    }
  }
}

TEST_CASE("maxima of NaN and of infinities are the reference's") {
  auto const none = std::numeric_limits<double>::quiet_NaN();
  auto const lowest = -std::numeric_limits<double>::infinity();
  // In rows, in registers of positions, and in registers of channels.
  for (auto [width, samples] : {std::pair<std::int64_t, std::int64_t>{7, 1}, {40, 1}, {7, 9}}) {
    auto const x = images(DataType::f32, 2, {6, width});
    testing::Values values;
    for (std::int64_t i = 0; i < samples * 2 * 6 * width; ++i)
      values.push_back(i % 5 == 0 ? none : i % 7 < 5 ? lowest : static_cast<double>(i % 11));
    operators::pooling const op{PoolMode::max, {3, 3}, {2, 2}, {1, 1}};
    KernelCase(op, {x}, samples).set(0, values).check();
    TensorType const inputs[] = {x};
    auto const y = op.infer(inputs);
    REQUIRE(y.good());
    KernelCase(operators::pooling_gradient{PoolMode::max, {3, 3}, {2, 2}, {1, 1}},
               {x, y.value()[0]}, samples)
        .fill(3)
        .set(0, values)
        .check();
  }
}
