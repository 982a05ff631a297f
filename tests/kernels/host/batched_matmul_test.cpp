// batched_matmul: many small pairs, pairs of several tiles, epilogues in place and apart.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/kernel_case.hpp"

using namespace lbann;
using testing::KernelCase;

namespace {

struct Pairs {
  std::vector<Extent> axes;
  std::int64_t rows, inner, columns;
};

KernelCase products(DataType type, Pairs const& pairs, int stored, std::int64_t samples,
                    operators::batched_matmul op = {}, TensorTypes more = {}) {
  op.transpose_a = (stored & 1) != 0;
  op.transpose_b = (stored & 2) != 0;
  auto const shape = [&](std::int64_t first, std::int64_t second, bool transposed) {
    Shape result;
    result.extents = pairs.axes;
    result.extents.push_back({transposed ? second : first, false});
    result.extents.push_back({transposed ? first : second, false});
    return result;
  };
  TensorTypes inputs = {{type, shape(pairs.rows, pairs.inner, op.transpose_a)},
                        {type, shape(pairs.inner, pairs.columns, op.transpose_b)}};
  inputs.insert(inputs.end(), more.begin(), more.end());
  KernelCase c(std::move(op), std::move(inputs), samples);
  c.fill(static_cast<unsigned>(pairs.rows + stored + samples));
  return c;
}

/// Rounding of a sum of `terms` products of magnitude up to 4, eight times the expected.
double rounding(DataType type, std::int64_t terms) {
  auto const unit = type == DataType::f64 ? 0x1p-53 : 0x1p-24;
  return 8 * 4 * unit * std::sqrt(static_cast<double>(std::max<std::int64_t>(terms, 16)));
}

}  // namespace

TEST_CASE("batched_matmul: all extents and ways of storing") {
  for (auto type : {DataType::f32, DataType::f64})
    for (int stored = 0; stored < 4; ++stored)
      for (auto samples : {0, 1, 3, 16})
        for (auto const& pairs :
             {Pairs{{batch_extent}, 1, 1, 1}, Pairs{{batch_extent}, 5, 3, 7},
              Pairs{{batch_extent, {2}}, 17, 8, 13}, Pairs{{{2}, batch_extent}, 6, 20, 49},
              Pairs{{batch_extent, {2}}, 3, 0, 2}, Pairs{{batch_extent}, 0, 3, 2},
              Pairs{{batch_extent, {1}}, 64, 33, 64}})
          products(type, pairs, stored, samples).check(rounding(type, pairs.inner));
}

TEST_CASE("batched_matmul: several tiles and blocks of each pair") {
  for (int stored = 0; stored < 4; ++stored)
    products(DataType::f32, {{batch_extent}, 150, 200, 400}, stored, 2)
        .check(rounding(DataType::f32, 200));
  products(DataType::f64, {{batch_extent}, 129, 390, 25}, 0, 1).check(rounding(DataType::f64, 390));
}

TEST_CASE("batched_matmul: epilogues, on an operand's memory too") {
  auto const scaled = *parse_expression("(add(multiply(i0, 0.125), i1))");
  for (auto samples : {0, 1, 5}) {
    operators::batched_matmul const op{false, true, scaled, {DataType::f32}};
    Pairs const pairs{{batch_extent, {3}}, 9, 4, 21};
    TensorType const mask{DataType::f32, Shape{{9}, {21}}};
    products(DataType::f32, pairs, 2, samples, op, {mask}).check();
    TensorType const whole{DataType::f32, Shape{batch_extent, {3}, {9}, {21}}};
    products(DataType::f32, pairs, 2, samples, op, {whole}).in_place(2, 0).check();
    operators::batched_matmul const wider{
        false, true, *parse_expression("(i0, exp(i0))"), {DataType::f32, DataType::f64}};
    products(DataType::f32, pairs, 2, samples, wider).check();
  }
}
