// Products of bf16 factors: every way of storing them, sizes that fill no tile, groups, strides and
// padding, chunks and parts of the inner extent, results in f32 and bf16.
#include <cmath>

#include "tests/kernels/host/convolution_case.hpp"

using namespace lbann;
using testing::ConvolutionCase;
using testing::KernelCase;

namespace {

constexpr auto bf16 = DataType::bf16;
/// The distance of two numbers of 8 bits: sums that differ by rounding may be rounded apart.
constexpr double rounding_of_bf16 = 0x1p-7;

Shape stored(Extent rows, Extent columns, bool transposed) {
  return transposed ? Shape{columns, rows} : Shape{rows, columns};
}

void check(Operator const& op, TensorTypes inputs, std::int64_t samples, std::int64_t terms,
           bool narrow = false) {
  KernelCase call(op, std::move(inputs), samples);
  call.fill(static_cast<unsigned>(samples + terms))
      .check(testing::rounding(DataType::f32, terms) + (narrow ? rounding_of_bf16 : 0));
  if (testing::family() == "host") CHECK(call.accepts(*testing::implementation_of(op, "host")));
}

void check_matmul(std::int64_t inner, std::int64_t columns, int transposed, std::int64_t samples) {
  operators::matmul op;
  op.transpose_a = (transposed & 1) != 0;
  op.transpose_b = (transposed & 2) != 0;
  TensorTypes inputs = {{bf16, stored(batch_extent, {inner}, op.transpose_a)},
                        {bf16, stored({inner}, {columns}, op.transpose_b)}};
  check(op, inputs, samples, inner);
  inputs.push_back({DataType::f32, Shape{{columns}}});
  op.epilogue = *parse_expression("(maximum(add(i0, i1), 0), add(i0, i1))");
  op.types = {bf16, DataType::f32};
  check(op, inputs, samples, inner, true);
}

void check_convolution(ConvolutionCase const& w, std::int64_t samples) {
  auto const y = w.result(bf16);
  TensorTypes inputs = {{bf16, w.images()}, {bf16, w.kernel()}};
  auto op = w.forward();
  check(op, inputs, samples, w.terms());
  inputs.push_back({DataType::f32, w.bias()});
  op.epilogue = *parse_expression("(maximum(add(i0, i1), 0))");
  op.types = {bf16};
  check(op, inputs, samples, w.terms(), true);
  check(w.input_gradient(), {{bf16, y}, {bf16, w.kernel()}}, samples,
        w.kernel().elements(1) / w.groups);
  check(w.kernel_gradient(), {{bf16, w.images()}, {bf16, y}}, samples,
        y.elements(samples) / w.filters);
}

std::vector<ConvolutionCase> const narrow_windows = {
    {3, 5, 1, {9, 11}, {3, 3}, {1, 1}, {1, 1}, {1, 1}},
    {33, 35, 1, {9, 11}, {3, 3}, {1, 1}, {1, 1}, {1, 1}},
    {40, 32, 1, {7, 7}, {1, 1}, {1, 1}, {0, 0}, {1, 1}},
    {32, 44, 1, {13, 13}, {3, 3}, {2, 2}, {1, 1}, {1, 1}},
    {34, 37, 1, {12, 9}, {2, 3}, {3, 4}, {1, 0}, {1, 1}},
    {64, 68, 2, {6, 5}, {3, 3}, {1, 1}, {2, 2}, {2, 1}},
    {6, 6, 6, {8, 10}, {3, 3}, {1, 2}, {1, 1}, {1, 1}},
    {36, 40, 1, {29}, {5}, {2}, {3}, {1}},
    {5, 7, 1, {4, 5, 6}, {2, 3, 1}, {1, 1, 2}, {1, 1, 0}, {1, 1, 1}},
    {33, 33, 1, {11, 9}, {1, 1}, {2, 2}, {0, 0}, {1, 1}},
    {33, 35, 1, {5, 7}, {1, 1}, {1, 1}, {0, 0}, {1, 1}},
    {3, 6, 1, {31, 33}, {3, 3}, {1, 1}, {1, 1}, {1, 1}},
    {35, 34, 1, {3, 2}, {7, 6}, {1, 2}, {4, 3}, {1, 1}},
    {4, 6, 2, {1, 70}, {1, 5}, {1, 4}, {0, 2}, {1, 3}},
};

}  // namespace

TEST_CASE("bf16: matmul") {
  for (int transposed = 0; transposed < 4; ++transposed)
    for (auto samples : {0, 1, 3, 17, 33, 64})
      for (auto [inner, columns] :
           {std::pair{1, 1}, {5, 10}, {32, 32}, {33, 49}, {64, 97}, {200, 1}, {0, 3}, {16, 0}})
        check_matmul(inner, columns, transposed, samples);
}

TEST_CASE("bf16: matmul of many blocks, several chunks of the inner extent") {
  for (int transposed = 0; transposed < 4; ++transposed) {
    check_matmul(700, 1100, transposed, 70);
    check_matmul(13000, 40, transposed, 35);
  }
}

TEST_CASE("bf16: batched_matmul") {
  for (int transposed = 0; transposed < 4; ++transposed)
    for (auto samples : {0, 1, 3})
      for (auto [rows, inner, columns] :
           {std::tuple{1, 1, 1}, {17, 5, 33}, {32, 64, 32}, {40, 70, 50}}) {
        operators::batched_matmul op;
        op.transpose_a = (transposed & 1) != 0;
        op.transpose_b = (transposed & 2) != 0;
        auto const pair = [](std::int64_t m, std::int64_t n, bool turned) {
          return turned ? Shape{batch_extent, {2}, {n}, {m}} : Shape{batch_extent, {2}, {m}, {n}};
        };
        TensorTypes inputs = {{bf16, pair(rows, inner, op.transpose_a)},
                              {bf16, pair(inner, columns, op.transpose_b)}};
        check(op, inputs, samples, inner);
        inputs.push_back({DataType::f32, Shape{{columns}}});
        op.epilogue = *parse_expression("(add(i0, i1))");
        op.types = {bf16};
        check(op, inputs, samples, inner, true);
      }
}

TEST_CASE("bf16: convolution and its gradients") {
  for (auto const& w : narrow_windows)
    for (auto samples : {0, 1, 2, 17}) check_convolution(w, samples);
}

TEST_CASE("bf16: moments, maps and sums of what is stored in 16 bits") {
  for (auto samples : {0, 1, 3, 40}) {
    TensorType const x{bf16, Shape{batch_extent, {5}, {70}}};
    KernelCase(operators::moments{{0, 2}}, {x}, samples).fill(3).check(1e-5);
    operators::map map{*parse_expression("(multiply(i0, i1), exp(i1))"),
                       x.shape,
                       DataType::f32,
                       {bf16, DataType::f32}};
    KernelCase(map, {x, {bf16, Shape{{70}}}}, samples).fill(4).check(rounding_of_bf16);
    operators::reduce sum;
    sum.expression = *parse_expression("(i0)");
    sum.shape = x.shape;
    sum.axes = {0};
    KernelCase(sum, {x}, samples).fill(5).check(1e-5);
  }
}
