// Rules of every operator: shapes it gives, inputs it refuses, what it costs, its record.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "schemas/operators/operators.hpp"

using namespace lbann;
using namespace lbann::operators;

namespace {

constexpr auto f32 = DataType::f32, f64 = DataType::f64, i64 = DataType::i64;

TensorType tensor(DataType type, char const* shape) { return {type, *parse_shape(shape)}; }

Expression expression(char const* text) { return *parse_expression(text); }

struct OperatorCase {
  Operator op;
  TensorTypes inputs;
  TensorTypes outputs;       ///< none: refused,
  char const* refusal = "";  ///< with these words
  std::int64_t flops = 0;    ///< for 3 samples
};

std::vector<OperatorCase> operator_cases() {
  auto const images = tensor(f32, "[batch, 4, 9, 8]"), filters = tensor(f32, "[6, 2, 3, 2]");
  auto const seen = tensor(f32, "[batch, 6, 5, 7]");
  auto const scores = tensor(f32, "[batch, 10]"), loss = tensor(f32, "[batch, 1]");
  auto const scalar = tensor(i64, "[]"), index = tensor(i64, "[batch, 1]");
  auto const heads = tensor(f32, "[batch, 2, 3, 5]");
  auto const states = tensor(f32, "[batch, 5, 4]"), gates = tensor(f32, "[batch, 5, 16]");
  std::vector<std::int64_t> const stride{2, 1}, padding{1, 0}, once{1, 1};
  auto const sum = expression("(add(i0, i1))");
  // Samples, filters, depth, multiply-adds; taps inside: along the first axis the first and the
  // last of 5 positions have one tap of 3 in the padding, along the second 7 positions have 2 each.
  auto const convolution_flops = 3 * 6 * 2 * 2 * (13 * 14);
  Shape const row{batch_extent, {10}};
  return {
      {map{sum, row, f32, {f64}},
       {scores, tensor(f32, "[10]")},
       {tensor(f64, "[batch, 10]")},
       "",
       30},
      {map{sum, row, f32, {f32}}, {scores, tensor(f32, "[batch, 5]")}, {}, "does not broadcast"},
      {map{sum, row, f32, {f32}}, {scores}, {}, "map"},
      {map{sum, row, f32, {}}, {scores, scores}, {}, "one type for each output"},
      {map{sum, row, i64, {f32}}, {scores, scores}, {}, "computes in f32 or f64"},
      {reduce{ReduceMode::sum, sum, row, {0}, f32, f64},
       {scores, scores},
       {tensor(f64, "[10]")},
       "",
       60},
      {reduce{ReduceMode::max, sum, row, {0, 1}, f32, f32},
       {scores, scores},
       {tensor(f32, "[]")},
       "",
       60},
      {reduce{ReduceMode::product, expression("(i0, add(i0, i1))"), row, {1}, f32, f32},
       {scores, scores},
       {tensor(f32, "[batch]"), tensor(f32, "[batch]")},
       "",
       90},
      {reduce{ReduceMode::min, {}, row, {1}, f32, f32}, {}, {}, "at least one output"},
      {reduce{ReduceMode::sum, sum, row, {1, 0}, f32, f32}, {scores, scores}, {}, "ascending"},
      {reduce{ReduceMode::sum, sum, row, {2}, f32, f32}, {scores, scores}, {}, "ascending"},
      {matmul{}, {scores, tensor(f32, "[10, 7]")}, {tensor(f32, "[batch, 7]")}, "", 2 * 3 * 10 * 7},
      {matmul{true, false, {}, {}},
       {scores, tensor(f32, "[batch, 7]")},
       {tensor(f32, "[10, 7]")},
       "",
       2 * 3 * 10 * 7},
      {matmul{false, true, sum, {f32}},
       {scores, tensor(f32, "[7, 10]"), tensor(f32, "[7]")},
       {tensor(f32, "[batch, 7]")},
       "",
       2 * 3 * 10 * 7 + 3 * 7},
      {matmul{}, {scores, tensor(f32, "[7, 10]")}, {}, "inner extents"},
      {matmul{}, {scores, tensor(f64, "[10, 7]")}, {}, "one floating-point type"},
      {matmul{}, {scores, tensor(f32, "[10]")}, {}, "multiplies matrices"},
      {matmul{}, {scores, tensor(f32, "[10, 7]"), tensor(f32, "[7]")}, {}, "epilogue"},
      {convolution{{stride, padding, once, 2}, {}, {}},
       {images, filters},
       {seen},
       "",
       convolution_flops},
      {convolution{{stride, padding, once, 1}, {}, {}}, {images, filters}, {}, "groups"},
      {convolution{{stride, padding, {9, 9}, 2}, {}, {}}, {images, filters}, {}, "does not fit"},
      {convolution{{{2}, padding, once, 2}, {}, {}}, {images, filters}, {}, "each spatial axis"},
      {convolution_input_gradient{{stride, padding, once, 2}, {9, 8}},
       {seen, filters},
       {images},
       "",
       convolution_flops},
      {convolution_input_gradient{{stride, padding, once, 2}, {8, 9}},
       {seen, filters},
       {},
       "the convolution gives"},
      {convolution_kernel_gradient{{stride, padding, once, 2}, {3, 2}},
       {images, seen},
       {filters},
       "",
       convolution_flops},
      {convolution_kernel_gradient{{stride, padding, once, 2}, {2, 3}},
       {images, seen},
       {},
       "the convolution gives"},
      {pooling{{PoolMode::max, {3, 2}, stride, padding}},
       {images},
       {tensor(f32, "[batch, 4, 5, 7]")},
       "",
       3 * 4 * (13 * 14 - 35)},
      {pooling{{PoolMode::average, {3, 2}, stride, padding}},
       {images},
       {tensor(f32, "[batch, 4, 5, 7]")},
       "",
       3 * 4 * (13 * 14 + 35)},
      {pooling{{PoolMode::max, {3, 2}, stride, {3, 0}}}, {images}, {}, "in the padding alone"},
      {pooling{{PoolMode::average, {12, 2}, stride, padding}}, {images}, {}, "does not fit"},
      {pooling_gradient{{PoolMode::max, {3, 2}, stride, padding}},
       {images, tensor(f32, "[batch, 4, 5, 7]")},
       {images},
       "",
       3 * 4 * 13 * 14},
      {pooling_gradient{{PoolMode::max, {3, 2}, stride, padding}},
       {images, images},
       {},
       "pooling gives"},
      {batched_matmul{},
       {heads, tensor(f32, "[batch, 2, 5, 4]")},
       {tensor(f32, "[batch, 2, 3, 4]")},
       "",
       3 * 2 * 2 * 3 * 5 * 4},
      {batched_matmul{true, true, sum, {f64}},
       {heads, tensor(f32, "[batch, 2, 7, 3]"), tensor(f32, "[7]")},
       {tensor(f64, "[batch, 2, 5, 7]")},
       "",
       3 * 2 * 5 * 7 * (2 * 3 + 1)},
      {batched_matmul{}, {heads, heads}, {}, "inner extents"},
      {batched_matmul{}, {heads, tensor(f32, "[batch, 3, 5, 4]")}, {}, "equal leading axes"},
      {batched_matmul{}, {scores, scores}, {}, "equal leading axes"},
      {batched_matmul{true, false, {}, {}},
       {tensor(f32, "[2, batch, 5]"), tensor(f32, "[2, batch, 5]")},
       {},
       "leading axis"},
      {batched_matmul{}, {heads, tensor(f64, "[batch, 2, 5, 4]")}, {}, "one floating-point type"},
      {gru{},
       {tensor(f32, "[batch, 5, 12]"), tensor(f32, "[batch, 4]"), tensor(f32, "[12, 4]"),
        tensor(f32, "[12]")},
       {states, gates},
       "",
       3 * 5 * 4 * (6 * 4 + 13)},
      {gru{},
       {tensor(f32, "[batch, 5, 12]"), tensor(f32, "[batch, 4]"), tensor(f32, "[4, 12]"),
        tensor(f32, "[12]")},
       {},
       "does not fit"},
      {gru{}, {states, scores, scores, scores}, {}, "does not fit"},
      {gru_gradient{},
       {states, states, tensor(f32, "[batch, 4]"), tensor(f32, "[12, 4]"), gates},
       {tensor(f32, "[batch, 5, 12]"), tensor(f32, "[batch, 5, 12]"), tensor(f32, "[batch, 4]")},
       "",
       3 * 5 * 4 * (6 * 4 + 16)},
      {gru_gradient{},
       {states, states, tensor(f32, "[batch, 4]"), tensor(f32, "[12, 4]"), states},
       {},
       "does not fit"},
      {external{{"libany.so", "any"}, row, 2, true}, {images, scores}, {scores, scores}},
      {external{{"libany.so", "any"}, row, 0, true}, {images}, {}, "0 outputs"},
      {external{{"libany.so", "any"}, row, 1, true}, {images, index}, {}, "floating-point"},
      {external_gradient{{"libany.so", "any"}, 2},
       {images, scores, loss, scores, loss, scores},
       {images, scores}},
      {external_gradient{{"libany.so", "any"}, 1}, {images, scores}, {}, "external_gradient"},
      {external_gradient{{"libany.so", "any"}, 1},
       {images, scores, loss},
       {},
       "is not that of an output"},
      {softmax{}, {scores}, {scores}, "", 5 * 30},
      {softmax{false, 0.5}, {scores}, {scores}, "", 6 * 30},
      {softmax{true}, {scores}, {scores}, "", 5 * 30 + 3},
      {softmax{true, 0, 2, 1}, {images}, {images}, "", 5 * 864 + 3 * 4 * 8},
      {softmax{false, 0, 1, 2}, {scores}, {}, "axes given"},
      {softmax{false, 2}, {scores}, {}, "minimum"},
      {softmax{}, {tensor(f32, "[]")}, {}, "axis of samples"},
      {softmax_gradient{}, {scores, scores}, {scores}, "", 4 * 30},
      {softmax_gradient{}, {scores, loss}, {}, "softmax_gradient"},
      {softmax_gradient{false, 0, 3, 0}, {scores, scores}, {}, "axes given"},
      {moments{{0, 2, 3}},
       {images},
       {tensor(f64, "[]"), tensor(f64, "[4]"), tensor(f64, "[4]")},
       "",
       4 * 864 + 4},
      {moments{{1}}, {index}, {}, "f32 or f64"},
      {moments{{1, 0}}, {scores}, {}, "ascending"},
      {normalise{2, 1e-5, true, true},
       {images, tensor(f32, "[9, 8]"), tensor(f32, "[9, 8]")},
       {images, tensor(f32, "[batch, 4]"), tensor(f32, "[batch, 4]")},
       "",
       8 * 864 + 5 * 12},
      {normalise{}, {scores}, {scores, tensor(f32, "[batch]"), tensor(f32, "[batch]")}, "", 195},
      {normalise{3}, {scores}, {}, "takes rows"},
      {normalise{1, -1}, {scores}, {}, "epsilon"},
      {normalise{1, 0, true}, {scores, loss}, {}, "row's shape"},
      {normalise_gradient{1, true, true},
       {scores, tensor(f32, "[batch]"), tensor(f32, "[batch]"), scores, tensor(f32, "[10]")},
       {scores, tensor(f32, "[10]"), tensor(f32, "[10]")},
       "",
       13 * 30 + 6},
      {normalise_gradient{}, {scores, scores, scores, scores}, {}, "one number per row"},
      {softmax_cross_entropy{}, {scores, scores}, {scores, loss}, "", 10 * 30 + 3},
      {softmax_cross_entropy{}, {scores, loss}, {}, "one shape"},
      {softmax_cross_entropy_gradient{}, {scores, scores, loss}, {scores}, "", 4 * 30},
      {softmax_cross_entropy_gradient{}, {scores, scores, scores}, {}, "one number per sample"},
      {operators::random{Distribution::normal, 0, 1, 7, row, f64},
       {scalar, scalar, scalar},
       {tensor(f64, "[batch, 10]")},
       "",
       3 * 30},
      {operators::random{Distribution::bernoulli, 2, 1, 7, row, f32},
       {scalar, scalar, scalar},
       {},
       "probability"},
      {operators::random{Distribution::uniform, 0, 1, 7, row, f32},
       {scalar, scalar, scores},
       {},
       "i64 scalars"},
      {constant{{1, 2, 3, 4, 5, 6}, *parse_shape("[2, 3]"), f64},
       {},
       {tensor(f64, "[2, 3]")},
       "",
       0},
      {constant{{1, 2}, *parse_shape("[3]"), f32}, {}, {}, "2 numbers for shape [3]"},
      {constant{{1}, row, f32}, {}, {}, "no constant has shape"},
      {constant{{1}, *parse_shape("[1]"), i64}, {}, {}, "floating-point"},
      {argmax{}, {images}, {index}, "", 3 * 4 * 9 * 8},
      {argmax{}, {index}, {}, "floating-point"},
      {operators::rank{}, {scores, index}, {index}, "", 30},
      {sample_index{}, {scalar}, {tensor(i64, "[batch]")}},
      {sample_index{}, {scores}, {}, "i64 scalar"},
      {operators::rank{}, {scores, scalar}, {}, "one i64 index"},
      {gather{}, {scores, tensor(f32, "[batch, 7]")}, {tensor(f32, "[batch, 7]")}},
      {gather{2, 1}, {images, tensor(i64, "[batch, 2, 3]")}, {tensor(f32, "[batch, 4, 2, 3, 8]")}},
      {gather{0, 0}, {tensor(i64, "[7, 5]"), index}, {tensor(i64, "[batch, 1, 5]")}},
      {gather{2, 2}, {scores, scores}, {}, "no axis 2"},
      {gather{1, 2}, {scores, scores}, {}, "are not those of"},
      {gather{0, 0}, {scores, index}, {}, "does not name a sample"},
      {gather{1, 1}, {scores, tensor(f32, "[3, 7]")}, {}, "differ in their first 1"},
      {gather{1, 0}, {scores, index}, {}, "no tensor has shape"},
      {gather{}, {scores, tensor(DataType::u8, "[batch, 7]")}, {}, "i32 or i64"},
      {scatter{row, 1, 1},
       {tensor(f32, "[batch, 7]"), tensor(f32, "[batch, 7]")},
       {scores},
       "",
       21},
      {scatter{Shape{{7}, {5}}, 0, 0},
       {tensor(f32, "[batch, 2, 5]"), tensor(f32, "[batch, 2]")},
       {tensor(f32, "[7, 5]")},
       "",
       30},
      {scatter{row, 1, 1}, {scores, index}, {}, "takes values of shape [batch, 1]"},
      {scatter{row, 1, 1}, {index, index}, {}, "floating-point"},
      {operators::sort{}, {images}, {images, tensor(i64, "[batch, 4, 9, 8]")}},
      {operators::sort{}, {tensor(f32, "[batch]")}, {}, "no order"},
      {operators::sort{}, {index}, {}, "floating-point"},
      {iota{7, i64}, {}, {tensor(i64, "[7]")}},
      {iota{-1, i64}, {}, {}, "no tensor"},
      {uniform_hash{}, {scores}, {scores}},
      {uniform_hash{}, {index}, {}, "f32 or f64"},
      {permute{{0, 3, 1, 2}}, {images}, {tensor(f32, "[batch, 8, 4, 9]")}},
      {permute{{1, 0}}, {index}, {tensor(i64, "[1, batch]")}},
      {permute{{0, 1, 1, 2}}, {images}, {}, "each once"},
      {permute{{0, 1}}, {images}, {}, "each once"},
      {permute{{0, 1, 2, 4}}, {images}, {}, "each once"},
      {slice{1, {1, 4, 4, 10}},
       {scores},
       {tensor(f32, "[batch, 3]"), tensor(f32, "[batch, 0]"), tensor(f32, "[batch, 6]")}},
      {slice{1, {4, 1}}, {scores}, {}, "ascending"},
      {slice{1, {4, 11}}, {scores}, {}, "ascending"},
      {slice{0, {0, 1}}, {scores}, {}, "mini-batch"},
      {slice{2, {0, 1}}, {scores}, {}, "no axis 2"},
      {concatenate{1}, {scores, loss}, {tensor(f32, "[batch, 11]")}},
      {concatenate{1}, {scores, tensor(f64, "[batch, 1]")}, {}, "type or rank"},
      {concatenate{0}, {scores, scores}, {}, "mini-batch"},
      {reshape{*parse_shape("[batch, 9, 4, 8]")}, {images}, {tensor(f32, "[batch, 9, 4, 8]")}},
      {reshape{*parse_shape("[batch, 9, 4, 7]")}, {images}, {}, "not as many elements"},
      {reshape{*parse_shape("[288]")}, {images}, {}, "not as many elements"},
      {all_reduce{{"data"}}, {scores}, {scores}, "", 0},
      {all_reduce{{}}, {scores}, {}, "axis of the mesh"},
      {all_reduce{{"data"}}, {index}, {}, "floating-point"},
  };
}

}  // namespace

TEST_CASE("every operator infers its outputs or says what does not fit") {
  for (auto const& c : operator_cases()) {
    CAPTURE(name_of(c.op));
    CAPTURE(c.refusal);
    auto const outputs = infer(c.op, c.inputs);
    CHECK(outputs.good() == !c.outputs.empty());
    if (outputs.good())
      CHECK(outputs.value() == c.outputs);
    else
      CHECK(outputs.problem().message.find(c.refusal) != std::string::npos);
  }
}

TEST_CASE("every operator has a case it accepts and, but for its words, a name and a summary") {
  auto const list = operator_cases();
  for (auto const& info : describe_operators()) {
    CAPTURE(info.name);
    CHECK(std::any_of(list.begin(), list.end(), [&](OperatorCase const& c) {
      return name_of(c.op) == info.name && !c.outputs.empty();
    }));
    CHECK(info.summary.ends_with('.'));
  }
}

TEST_CASE("operators tell their cost") {
  for (auto const& c : operator_cases()) {
    if (c.outputs.empty()) continue;
    CAPTURE(name_of(c.op));
    Signature const signature{c.inputs, c.outputs};
    CHECK(flops(c.op, signature, 3) == c.flops);
    CHECK(flops(c.op, signature, 3) >= flops(c.op, signature, 1));
    CHECK(scratch_bytes(c.op, signature, 3, 2) >= scratch_bytes(c.op, signature, 0, 2));
    CHECK(scratch_bytes(c.op, signature, 0, 2) >= 0);
    CHECK(scratch_bytes(c.op, signature, 3, 2) <= scratch_bytes(c.op, signature, 3, 192));
  }
}

TEST_CASE("operators come back from their records") {
  for (auto const& c : operator_cases()) {
    auto const back = operator_from(to_record(c.op));
    CAPTURE(name_of(c.op));
    REQUIRE(back);
    CHECK(*back == c.op);
  }
}

TEST_CASE("operators survive any inputs") {
  std::mt19937 generator(11);
  auto const pick = [&](auto const& list) { return list[generator() % std::size(list)]; };
  std::int64_t const sizes[] = {0, 1, 2, 9, std::int64_t{1} << 40, -1, std::int64_t{1} << 62};
  auto const list = operator_cases();
  std::size_t refused = 0;
  for (int repetition = 0; repetition < 20000; ++repetition) {
    auto const& c = pick(list);
    auto inputs = c.inputs;
    if (generator() % 4 == 0) inputs.resize(generator() % 4);
    for (auto& input : inputs) {
      if (generator() % 4 == 0) input.type = static_cast<DataType>(generator() % 6);
      for (auto& extent : input.shape.extents)
        if (generator() % 4 == 0) extent = {pick(sizes), generator() % 4 == 0};
      if (generator() % 8 == 0) input.shape.extents.resize(generator() % 10);
    }
    auto const outputs = infer(c.op, inputs);
    refused += outputs.good() ? 0 : 1;
    if (outputs.good()) CHECK(scratch_bytes(c.op, {inputs, outputs.value()}, 2, 2) >= 0);
  }
  CHECK(refused > 5000);
}
