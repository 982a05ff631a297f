// Products of bf16 and f16 factors: every way of storing them, sizes that fill no tile, groups,
// strides and padding, chunks and parts of the inner extent, results in f32 and 16 bits.
#include <array>

#include "tests/kernels/host/narrow_windows.hpp"

using namespace lbann;
using testing::ConvolutionCase;
using testing::KernelCase;

namespace {

constexpr std::array sixteen_bit_types = {DataType::bf16, DataType::f16};

/// The distance of two numbers of 8 or 11 bits: sums that differ by rounding may be rounded apart.
constexpr double rounding_of(DataType type) { return type == DataType::bf16 ? 0x1p-7 : 0x1p-10; }

Shape stored(Extent rows, Extent columns, bool transposed) {
  return transposed ? Shape{columns, rows} : Shape{rows, columns};
}

void check(Operator const& op, TensorTypes inputs, std::int64_t samples, std::int64_t terms,
           bool narrow = false) {
  auto const type = inputs[0].type;
  KernelCase call(op, std::move(inputs), samples);
  call.fill(static_cast<unsigned>(samples + terms))
      .check(testing::rounding(DataType::f32, terms) + (narrow ? rounding_of(type) : 0));
  if (testing::family() == "host") CHECK(call.accepts(*testing::implementation_of(op, "host")));
}

void check_matmul(DataType type, std::int64_t inner, std::int64_t columns, int transposed,
                  std::int64_t samples) {
  operators::matmul op;
  op.transpose_a = (transposed & 1) != 0;
  op.transpose_b = (transposed & 2) != 0;
  TensorTypes inputs = {{type, stored(batch_extent, {inner}, op.transpose_a)},
                        {type, stored({inner}, {columns}, op.transpose_b)}};
  check(op, inputs, samples, inner);
  inputs.push_back({DataType::f32, Shape{{columns}}});
  op.epilogue = *parse_expression("(maximum(add(i0, i1), 0), add(i0, i1))");
  op.types = {type, DataType::f32};
  check(op, inputs, samples, inner, true);
  op.epilogue = *parse_expression("(add(i0, i1))");
  op.types = {DataType::f32};
  check(op, inputs, samples, inner);
}

void check_convolution(DataType type, ConvolutionCase const& w, std::int64_t samples) {
  auto const y = w.result(type);
  TensorTypes inputs = {{type, w.images()}, {type, w.kernel()}};
  auto op = w.forward();
  check(op, inputs, samples, w.terms());
  inputs.push_back({DataType::f32, w.bias()});
  op.epilogue = *parse_expression("(maximum(add(i0, i1), 0))");
  op.types = {type};
  check(op, inputs, samples, w.terms(), true);
  check(w.input_gradient(), {{type, y}, {type, w.kernel()}}, samples,
        w.kernel().elements(1) / w.groups);
  check(w.kernel_gradient(), {{type, w.images()}, {type, y}}, samples,
        y.elements(samples) / w.filters);
}

}  // namespace

TEST_CASE("16 bits: matmul") {
  for (auto const type : sixteen_bit_types)
    for (int transposed = 0; transposed < 4; ++transposed)
      for (auto samples : {0, 1, 3, 17, 33, 64})
        for (auto [inner, columns] :
             {std::pair{1, 1}, {5, 10}, {32, 32}, {33, 49}, {64, 97}, {200, 1}, {0, 3}, {16, 0}})
          check_matmul(type, inner, columns, transposed, samples);
}

TEST_CASE("16 bits: matmul of many blocks, several chunks of the inner extent") {
  for (auto const type : sixteen_bit_types)
    for (int transposed = 0; transposed < 4; ++transposed) {
      check_matmul(type, 700, 1100, transposed, 70);
      check_matmul(type, 13000, 40, transposed, 35);
    }
}

TEST_CASE("16 bits: batched_matmul") {
  for (auto const type : sixteen_bit_types)
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
          TensorTypes inputs = {{type, pair(rows, inner, op.transpose_a)},
                                {type, pair(inner, columns, op.transpose_b)}};
          check(op, inputs, samples, inner);
          inputs.push_back({DataType::f32, Shape{{columns}}});
          op.epilogue = *parse_expression("(add(i0, i1))");
          op.types = {type};
          check(op, inputs, samples, inner, true);
        }
}

TEST_CASE("16 bits: convolution and its gradients") {
  for (auto const type : sixteen_bit_types)
    for (auto const& w : testing::narrow_windows)
      for (auto samples : {0, 1, 2, 17}) check_convolution(type, w, samples);
}

TEST_CASE("16 bits: moments, maps and sums of what is stored in 16 bits") {
  for (auto const type : sixteen_bit_types)
    for (auto samples : {0, 1, 3, 40}) {
      TensorType const x{type, Shape{batch_extent, {5}, {70}}};
      for (auto const& shape :
           {x.shape, Shape{batch_extent, {70}, {49}}, Shape{batch_extent, {3}, {1100}}})
        KernelCase(operators::moments{{0, 2}}, {{type, shape}}, samples).fill(3).check(1e-5);
      operators::map map{*parse_expression("(multiply(i0, i1), exp(i1))"),
                         x.shape,
                         DataType::f32,
                         {type, DataType::f32}};
      KernelCase(map, {x, {type, Shape{{70}}}}, samples).fill(4).check(rounding_of(type));
      operators::reduce sum;
      sum.expression = *parse_expression("(i0)");
      sum.shape = x.shape;
      sum.axes = {0};
      KernelCase(sum, {x}, samples).fill(5).check(1e-5);
    }
}
