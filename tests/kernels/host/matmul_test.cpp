// matmul: every way of storing the factors, every edge of a tile, epilogues in place and apart.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <tuple>

#include "tests/support/kernel_case.hpp"

using namespace lbann;
using testing::KernelCase;

namespace {

Shape matrix(Extent rows, Extent columns, bool transposed) {
  return transposed ? Shape{columns, rows} : Shape{rows, columns};
}

KernelCase product(DataType type, Extent rows, std::int64_t inner, Extent columns, int stored,
                   std::int64_t samples, std::string const& epilogue = {}, TensorTypes more = {},
                   std::vector<DataType> outputs = {}) {
  operators::matmul op;
  op.transpose_a = (stored & 1) != 0;
  op.transpose_b = (stored & 2) != 0;
  if (!epilogue.empty()) {
    auto expression = parse_expression(epilogue);
    REQUIRE_MESSAGE(expression.has_value(), epilogue);
    op.epilogue = *expression;
    op.types = outputs.empty() ? std::vector<DataType>(expression->outputs.size(), type) : outputs;
  }
  TensorTypes inputs = {{type, matrix(rows, {inner}, op.transpose_a)},
                        {type, matrix({inner}, columns, op.transpose_b)}};
  inputs.insert(inputs.end(), more.begin(), more.end());
  KernelCase c(op, inputs, samples);
  c.fill(static_cast<unsigned>(inner + stored + samples));
  return c;
}

}  // namespace

TEST_CASE("matmul: all extents and ways of storing") {
  for (auto type : testing::floating_types)
    for (int stored = 0; stored < 4; ++stored)
      for (auto samples : {0, 1, 2, 3, 17, 64})
        for (auto [inner, columns] : {std::pair{1, 1},
                                      {5, 10},
                                      {84, 10},
                                      {120, 84},
                                      {33, 49},
                                      {200, 97},
                                      {256, 120},
                                      {0, 3},
                                      {16, 0}})
          product(type, batch_extent, inner, {columns}, stored, samples)
              .check(testing::rounding(type, inner));
}

TEST_CASE("matmul: gradients of weights, summed over the mini-batch") {
  for (auto type : testing::floating_types)
    for (auto samples : {0, 1, 2, 3, 17, 128})
      for (auto [rows, columns] : {std::pair{10, 84}, {130, 70}, {1, 300}, {97, 1}}) {
        operators::matmul op{true, false, {}, {}};
        KernelCase(op,
                   {{type, Shape{batch_extent, {rows}}}, {type, Shape{batch_extent, {columns}}}},
                   samples)
            .fill(static_cast<unsigned>(rows))
            .check();
      }
}

TEST_CASE("matmul: many blocks, several packings of rows") {
  product(DataType::f32, {300}, 500, {420}, 2, 0).check(testing::rounding(DataType::f32, 500));
  product(DataType::f64, {9}, 1000, {1000}, 0, 0).check(testing::rounding(DataType::f64, 1000));
  product(DataType::f32, {270}, 9000, {50}, 1, 0).check(testing::rounding(DataType::f32, 9000));
}

TEST_CASE("matmul: columns that stay packed for several tasks, in several blocks") {
  // One task across, which packs its rows itself; several, which share them; registers not full.
  for (int stored = 0; stored < 4; ++stored)
    for (auto [rows, inner, columns] :
         {std::tuple{600, 450, 96}, {300, 700, 500}, {530, 230, 403}, {257, 385, 65}}) {
      for (auto type : testing::floating_types) {
        auto c = product(type, {rows}, inner, {columns}, stored, 0);
        if (testing::family() == "host")
          CHECK(c.accepts(*testing::implementation_of(operators::matmul{}, "host")));
        c.check(testing::rounding(type, inner));
      }
      // No output of the product's type holds it.
      auto apart = product(DataType::f32, {rows}, inner, {columns}, stored, 0, "(add(i0, i1))",
                           {{DataType::f64, Shape{{columns}}}}, {DataType::f64});
      if (testing::family() == "host")
        CHECK(apart.accepts(*testing::implementation_of(operators::matmul{}, "host")));
      apart.check(testing::rounding(DataType::f32, inner));
    }
}

TEST_CASE("matmul: few rows, in the lanes of registers") {
  for (auto type : testing::floating_types)
    for (std::int64_t rows : {17, 33, 48, 64, 65, 112, 128})
      for (auto [inner, columns] : {std::pair{1, 8}, {70, 9}, {130, 100}, {2100, 333}}) {
        product(type, {rows}, inner, {columns}, 2, 0).check(testing::rounding(type, inner));
        product(type, {rows}, inner, {columns}, 2, 0, "(maximum(add(i0, i1), 0))",
                {{DataType::f32, Shape{{columns}}}}, {DataType::f32})
            .check(testing::rounding(DataType::f32, inner));
      }
}

TEST_CASE("matmul: scratch suffices for any extents") {
  if (testing::family() != "host") return;
  std::mt19937 random(4);
  std::uniform_real_distribution<double> logarithm(0, std::log(3000.0));
  auto const extent = [&] { return static_cast<std::int64_t>(std::exp(logarithm(random))); };
  for (int i = 0; i < 600; ++i) {
    auto const rows = extent(), inner = extent(), columns = extent();
    CAPTURE(rows);
    CAPTURE(inner);
    CAPTURE(columns);
    auto const type = testing::floating_types[static_cast<std::size_t>(i) % 2];
    operators::matmul op;
    op.transpose_a = i % 4 == 0;
    op.transpose_b = i % 3 != 0;
    TensorTypes inputs = {{type, matrix({rows}, {inner}, op.transpose_a)},
                          {type, matrix({inner}, {columns}, op.transpose_b)}};
    if (i % 8 >= 3) {
      op.epilogue = *parse_expression("(add(i0, 1))");
      op.types = {i % 8 >= 5 ? type : DataType::i32};
    }
    CHECK(KernelCase(op, inputs, 0).accepts(*testing::implementation_of(op, "host")));
  }
}

TEST_CASE("matmul: epilogue with bias and activation") {
  for (auto type : testing::floating_types)
    for (auto samples : {0, 1, 2, 3, 17})
      for (auto columns : {1, 10, 50, 130}) {
        product(type, batch_extent, 30, {columns}, 2, samples, "(maximum(add(i0, i1), 0))",
                {{type, Shape{{columns}}}})
            .check();
        product(type, batch_extent, 30, {columns}, 0, samples,
                "(sigmoid(add(i0, i1)), multiply(i0, i2))",
                {{type, Shape{{columns}}}, {type, Shape{batch_extent, {1}}}})
            .check();
        // A bias alone, and what is none: a number for each row.
        product(type, batch_extent, 30, {columns}, 1, samples, "(add(i0, i1))",
                {{type, Shape{{columns}}}})
            .check();
        product(type, batch_extent, 30, {columns}, 3, samples, "(add(i1, i0))",
                {{type, Shape{{1}, {columns}}}})
            .check();
        product(type, {columns}, 30, {columns}, 2, samples, "(add(i0, i1))",
                {{type, Shape{{columns}, {1}}}})
            .check();
      }
}

TEST_CASE("matmul: few rows with a large matrix, summed in halves") {
  for (auto type : testing::floating_types)
    for (auto samples : {1, 3, 17, 100})
      for (std::int64_t inner : {384, 401, 1001})
        for (std::int64_t columns : {700, 701})
          for (auto const* const epilogue :
               {"", "(multiply(i0, select(less_equal(i1, 0), 0, 1)))"}) {
            auto c = product(type, batch_extent, inner, {columns}, inner % 2, samples, epilogue,
                             *epilogue == 0 ? TensorTypes{}
                                            : TensorTypes{{type, Shape{batch_extent, {columns}}}});
            c.check(testing::rounding(type, inner));
          }
}

TEST_CASE("matmul: an update of weights as epilogue, in place") {
  // velocity = 0.9 v - rate g; weights = w + velocity
  for (auto type : testing::floating_types)
    // The last ones in tasks of whole rows: strips of rows, and columns in three parts.
    for (auto [samples, rows, columns] : {std::tuple{0, 129, 70},
                                          {1, 40, 1000},
                                          {3, 10, 84},
                                          {17, 129, 70},
                                          {17, 40, 1000},
                                          {190, 33, 700},
                                          {150, 50, 3600}}) {
      operators::matmul op{true, false, {}, {type, type}};
      op.epilogue = *parse_expression(
          "(subtract(multiply(i1, 0.9), multiply(i3, i0)), "
          "add(i2, subtract(multiply(i1, 0.9), multiply(i3, i0))))");
      Shape const weights{{rows}, {columns}};
      KernelCase(op,
                 {{type, Shape{batch_extent, {rows}}},
                  {type, Shape{batch_extent, {columns}}},
                  {type, weights},
                  {type, weights},
                  {type, Shape{}}},
                 samples)
          .fill(static_cast<unsigned>(columns))
          .in_place(2, 0)
          .in_place(3, 1)
          .check(testing::rounding(type, samples));
    }
}

TEST_CASE("matmul: outputs of other types") {
  product(DataType::f32, batch_extent, 20, {33}, 0, 17, "(add(i0, i1), less(i0, 0))",
          {{DataType::f64, Shape{batch_extent, {33}}}}, {DataType::f64, DataType::i32})
      .check(1e-5);
}

TEST_CASE("matmul: large products go to the library") {
  auto c = product(DataType::f32, {1536}, 1536, {1540}, 2, 0, "(maximum(add(i0, i1), 0))",
                   {{DataType::f32, Shape{{1540}}}});
  auto const& library = kernels::implementations(Operator{operators::matmul{}}.index()).front();
  CHECK(library.name != testing::family());
  CHECK(c.accepts(library));
}
