// reduce: any axes, fused expressions, empty sums; sums that do not depend on threads.
#include <doctest/doctest.h>

#include <cmath>

#include "kernels/shapes/reduce_layout.hpp"
#include "schemas/operators/partial_results.hpp"
#include "tests/support/kernel_case.hpp"

using namespace lbann;
using operators::ReduceMode;
using testing::batch_of;
using testing::KernelCase;
using testing::Values;

namespace {

operators::reduce reduce_of(ReduceMode mode, std::string const& text, Shape shape,
                            std::vector<std::int64_t> axes, DataType compute = DataType::f32) {
  auto expression = parse_expression(text);
  REQUIRE_MESSAGE(expression.has_value(), text);
  return {mode, *expression, std::move(shape), std::move(axes), compute, compute};
}

}  // namespace

TEST_CASE("reduce: every choice of axes") {
  for (auto compute : {DataType::f32, DataType::f64})
    for (auto mode : {ReduceMode::sum, ReduceMode::max, ReduceMode::min, ReduceMode::product})
      for (auto const& shape : {batch_of({1}), batch_of({7}), batch_of({700}), batch_of({3, 5}),
                                batch_of({4, 5, 6}), batch_of({2, 30, 33}), batch_of({1, 1, 9})})
        for (unsigned choice = 0; choice < 1u << shape.rank(); ++choice)
          for (std::int64_t samples : {0, 1, 17}) {
            std::vector<std::int64_t> axes;
            for (std::size_t i = 0; i < shape.rank(); ++i)
              if ((choice >> i & 1) != 0) axes.push_back(static_cast<std::int64_t>(i));
            KernelCase(reduce_of(mode, "(i0)", shape, axes, compute), {{compute, shape}}, samples)
                .fill(1, mode == ReduceMode::product ? 0.99 : -2,
                      mode == ReduceMode::product ? 1.01 : 2)
                .check(compute == DataType::f64 ? 1e-11 : 1e-4);
            KernelCase(
                reduce_of(mode, "(multiply(subtract(i0, i1), i2))", shape, axes, compute),
                {{compute, shape}, {compute, Shape{{1}}}, {compute, Shape{shape.extents.back()}}},
                shape.rank() == 1 ? 1 : samples)
                .fill(2, -0.5, 0.5)
                .check(compute == DataType::f64 ? 1e-12 : 1e-4);
          }
}

TEST_CASE("reduce: large and lopsided shapes, cut into many pieces") {
  struct {
    Shape shape;
    std::vector<std::int64_t> axes;
  } const cases[] = {{Shape{{100003}}, {0}},
                     {Shape{{3}, {10001}}, {1}},
                     {Shape{{10001}, {3}}, {0}},
                     {Shape{{70}, {600}}, {0}},
                     {Shape{{70}, {600}}, {1}},
                     {Shape{{16}, {8}, {400}}, {0, 2}},
                     {Shape{{16}, {50}, {64}}, {0, 2}},
                     {Shape{{3}, {30}, {1100}}, {1}},
                     {Shape{{5}, {77}, {2}}, {0, 2}},
                     {Shape{{40}, {300}, {4}}, {0, 2}},
                     {Shape{{9}, {45}, {8}}, {0, 2}},
                     {Shape{{33}, {70}, {16}}, {0, 2}},
                     {Shape{{8}, {200}, {49}}, {0, 2}},
                     {Shape{{30}, {9}, {5000}}, {0, 2}},
                     {Shape{{7}, {31}, {12}}, {0, 2}},
                     {Shape{{2}, {3}, {10}, {900}}, {1, 3}},
                     {Shape{{100}, {700}}, {0}}};
  for (auto const& c : cases)
    for (auto mode : {ReduceMode::sum, ReduceMode::max})
      for (auto const* text : {"(i0)", "(square(i0))"})
        KernelCase(reduce_of(mode, text, c.shape, c.axes), {{DataType::f32, c.shape}}, 1)
            .fill(5)
            .check(2e-4);
}

TEST_CASE("reduce: several results in one pass") {
  for (auto compute : {DataType::f32, DataType::f64})
    for (auto mode : {ReduceMode::sum, ReduceMode::max, ReduceMode::product})
      for (auto const& shape : {batch_of({1}), batch_of({700}), batch_of({5, 6}),
                                batch_of({30, 33}), batch_of({3, 1100})})
        for (auto const& axes : {std::vector<std::int64_t>{0}, {1}, {0, 1}})
          for (std::int64_t samples : {0, 1, 17})
            KernelCase(
                reduce_of(mode, "(multiply(i0, i1), i0, 0.5, add(i0, i1))", shape, axes, compute),
                {{compute, shape}, {compute, Shape{{1}}}}, samples)
                .fill(4, -0.5, 0.5)
                .check(compute == DataType::f64 ? 1e-12 : 1e-4);
}

TEST_CASE("reduce: what the gradient of a normalisation sums, of rows of any length") {
  for (auto type : {DataType::f32, DataType::bf16, DataType::f16})
    for (auto const& [channels, row] : {std::pair<std::int64_t, std::int64_t>{1, 16},
                                        {3, 17},
                                        {40, 49},
                                        {70, 64},
                                        {33, 197},
                                        {2, 1500},
                                        {5, 15}})
      for (std::int64_t samples : {0, 1, 9}) {
        Shape const shape{batch_extent, {channels}, {row}}, numbers{{channels}, {1}};
        TensorType const tensor{type, shape}, number{DataType::f64, numbers};
        for (auto const* text :
             {"(multiply(i0, subtract(i1, i2)), i0)", "(i0, multiply(subtract(i1, i2), i0))"}) {
          auto op = reduce_of(ReduceMode::sum, text, shape, {0, 2});
          op.type = DataType::f64;
          KernelCase(op, {tensor, tensor, number}, samples).fill(7).check(1e-5);
        }
        KernelCase(reduce_of(ReduceMode::sum, "(i0)", shape, {0, 2}), {tensor}, samples)
            .fill(8)
            .check(1e-5);
      }
  // Numbers that vary along a reduced axis, as many as there are outputs; tensors of two types.
  Shape const square{{3}, {3}, {20}};
  TensorType const tensor{DataType::f32, square};
  auto const op =
      reduce_of(ReduceMode::sum, "(multiply(i0, subtract(i1, i2)), i0)", square, {0, 2});
  KernelCase(op, {tensor, tensor, {DataType::f32, Shape{{3}, {1}, {1}}}}, 1).fill(9).check(1e-5);
  KernelCase(op, {tensor, {DataType::f64, square}, {DataType::f32, Shape{{3}, {1}}}}, 1)
      .fill(9)
      .check(1e-5);
}

TEST_CASE("reduce: types are converted when read and when written") {
  auto const shape = batch_of({40});
  for (auto type : {DataType::f64, DataType::i32, DataType::i64, DataType::u8}) {
    auto op = reduce_of(ReduceMode::sum, "(multiply(i0, 0.5))", shape, {1});
    op.type = type;
    KernelCase(op, {{type, shape}}, 3).fill(6, 0, 9).check(1e-5);
  }
}

TEST_CASE("reduce: nothing sums to 0, its maximum is the lowest number; NaN") {
  for (auto const name : testing::families()) {
    Operator const sum = reduce_of(ReduceMode::sum, "(add(i0, 1))", batch_of({3}), {0});
    Operator const max = reduce_of(ReduceMode::max, "(i0)", batch_of({3}), {0});
    TensorType const x{DataType::f32, batch_of({3})};
    CHECK(KernelCase(sum, {x}, 0).run(*testing::implementation_of(sum, name))[0] ==
          Values{0, 0, 0});
    CHECK(KernelCase(max, {x}, 0).run(*testing::implementation_of(max, name))[0] ==
          Values(3, std::numeric_limits<float>::lowest()));
    auto const nan = KernelCase(sum, {x}, 2)
                         .set(0, {1, std::nan(""), 2, 3, 4, 5})
                         .run(*testing::implementation_of(sum, name))[0];
    CHECK(nan[0] == 6);
    CHECK(std::isnan(nan[1]));
  }
}

TEST_CASE("reduce: a long sum in f32 keeps the precision of f64") {
  std::int64_t const n = 300000;
  Operator const op = reduce_of(ReduceMode::sum, "(i0)", Shape{{n}}, {0});
  Values x(static_cast<std::size_t>(n), static_cast<float>(0.1));
  auto const found = KernelCase(op, {{DataType::f32, Shape{{n}}}}, 1)
                         .set(0, std::move(x))
                         .run(*testing::implementation_of(op, testing::family()))[0][0];
  CHECK(found == doctest::Approx(static_cast<double>(n) * static_cast<float>(0.1)).epsilon(1e-7));
}

TEST_CASE("reduce_layout: pieces cover the space within the scratch that is declared") {
  for (auto const& grain : {kernels::host_grain, kernels::device_grain})
    for (auto const& shape : std::vector<std::vector<std::int64_t>>{
             {1}, {0, 5}, {5, 0}, {100000000}, {64, 500}, {64, 50, 8, 8}, {3, 1000000}}) {
      for (unsigned choice = 0; choice < 1u << shape.size(); ++choice) {
        std::vector<std::int64_t> axes;
        for (std::size_t i = 0; i < shape.size(); ++i)
          if ((choice >> i & 1) != 0) axes.push_back(static_cast<std::int64_t>(i));
        auto const layout = kernels::reduce_layout(shape, axes, grain);
        REQUIRE(layout.has_value());
        CHECK(layout->partials() <= kernels::max_partials);
        CHECK(layout->c_block <= grain.outputs);
        if (layout->partials() > 1)
          CHECK(layout->partials() * layout->outputs() <=
                operators::rules::most_partials(layout->outputs()));
        CHECK(layout->b_block * layout->b_blocks >= layout->reduced_rows());
        CHECK(layout->c_block * layout->c_blocks >= layout->c);
        CHECK(layout->d_block * layout->d_blocks >= layout->d);
      }
    }
  std::vector<std::int64_t> const shape{2, 3, 4, 5, 6, 7}, axes{1, 3, 5};
  CHECK_FALSE(kernels::reduce_layout(shape, axes, kernels::host_grain).has_value());
}
