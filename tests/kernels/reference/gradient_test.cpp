// Every operator's backward rule against finite differences, in f64, on the reference kernels.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "schemas/expression/builder.hpp"
#include "schemas/operators/backward.hpp"
#include "tests/support/kernel_case.hpp"

using namespace lbann;
using operators::ReduceMode;
using testing::KernelCase;
using testing::Values;

namespace {

std::vector<Values> evaluate(Operator const& op, TensorTypes const& types,
                             std::vector<Values> const& inputs, std::int64_t samples) {
  KernelCase call(op, types, samples);
  for (std::size_t i = 0; i < inputs.size(); ++i) call.set(i, inputs[i]);
  return call.run(*testing::implementation_of(op, "reference"));
}

/// Runs backward instructions as they are emitted.
class Tape final : public BackwardContext {
 public:
  Tape(Operator const& op, TensorTypes const& types, std::vector<Values> const& inputs,
       std::vector<Values> const& output_gradients, std::int64_t samples)
      : samples_(samples), input_count_(types.size()) {
    for (std::size_t i = 0; i < types.size(); ++i) add(types[i], inputs[i]);
    auto const outputs = infer(op, types).value();
    auto const values = evaluate(op, types, inputs, samples);
    for (std::size_t o = 0; o < outputs.size(); ++o) add(outputs[o], values[o]);
    for (std::size_t o = 0; o < outputs.size(); ++o) add(outputs[o], output_gradients[o]);
    output_count_ = outputs.size();
    derive_backward(op, *this);
  }

  std::size_t input_count() const override { return input_count_; }
  TensorId input(std::size_t index) const override { return TensorId(index); }
  TensorId output(std::size_t index) const override { return TensorId(input_count_ + index); }
  TensorType const& type_of(TensorId tensor) const override { return types_[tensor.index()]; }
  TensorId output_gradient(std::size_t index) const override {
    return TensorId(input_count_ + output_count_ + index);
  }
  bool wants(std::size_t index) const override { return is_floating(types_[index].type); }
  std::vector<TensorId> emit(Operator op, std::vector<TensorId> inputs) override {
    TensorTypes types;
    std::vector<Values> values;
    for (auto id : inputs) {
      types.push_back(types_[id.index()]);
      values.push_back(values_[id.index()]);
    }
    auto const outputs = infer(op, types);
    REQUIRE_MESSAGE(outputs.good(), (outputs.good() ? "" : outputs.problem().message));
    auto const results = evaluate(op, types, values, samples_);
    std::vector<TensorId> ids;
    for (std::size_t o = 0; o < results.size(); ++o)
      ids.push_back(add(outputs.value()[o], results[o]));
    return ids;
  }
  TensorId in_type(TensorId tensor, DataType type) override {
    CHECK(types_[tensor.index()].type == type);
    return tensor;
  }
  void contribute(std::size_t index, TensorId gradient) override {
    CHECK(types_[gradient.index()] == types_[index]);
    auto& sum = gradients_[index];
    auto const& part = values_[gradient.index()];
    sum.resize(part.size(), 0);
    for (std::size_t e = 0; e < part.size(); ++e) sum[e] += part[e];
  }

  /// Empty if nothing was contributed.
  Values const& gradient(std::size_t index) { return gradients_[index]; }

 private:
  TensorId add(TensorType type, Values values) {
    types_.push_back(std::move(type));
    values_.push_back(std::move(values));
    return TensorId(types_.size() - 1);
  }

  std::int64_t samples_;
  std::size_t input_count_, output_count_ = 0;
  TensorTypes types_;
  std::vector<Values> values_;
  std::map<std::size_t, Values> gradients_;
};

struct Range {
  double low = -1, high = 1;
};

/// Compares for up to 12 entries of every input. `constant` inputs have no gradient, outputs from
/// number `saved` on are for the backward rule alone.
void check(Operator const& op, TensorTypes const& types, std::int64_t samples, Range range = {},
           std::vector<std::size_t> const& constant = {}, std::size_t saved = SIZE_MAX) {
  CAPTURE(samples);
  auto const described = name_of(op);
  CAPTURE(described);
  std::mt19937 generator(17);
  auto const outputs = infer(op, types);
  REQUIRE_MESSAGE(outputs.good(), (outputs.good() ? "" : outputs.problem().message));
  auto const random = [&](TensorType const& type, Range r) {
    std::uniform_real_distribution<double> uniform(r.low, r.high);
    Values values(static_cast<std::size_t>(type.shape.elements(samples)));
    for (auto& value : values) value = uniform(generator);
    return values;
  };
  std::vector<Values> inputs, weights;
  for (auto const& type : types) inputs.push_back(random(type, range));
  for (auto const& type : outputs.value())
    weights.push_back(random(type, weights.size() < saved ? Range{} : Range{0, 0}));

  auto const objective = [&](std::vector<Values> const& at) {
    double sum = 0;
    auto const results = evaluate(op, types, at, samples);
    for (std::size_t o = 0; o < results.size(); ++o)
      for (std::size_t e = 0; e < results[o].size(); ++e) sum += weights[o][e] * results[o][e];
    return sum;
  };
  Tape tape(op, types, inputs, weights, samples);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    CAPTURE(i);
    auto const& gradient = tape.gradient(i);
    if (std::find(constant.begin(), constant.end(), i) != constant.end()) {
      CHECK(gradient.empty());
      continue;
    }
    REQUIRE(gradient.size() == inputs[i].size());
    for (std::size_t n = 0; n < 12 && !inputs[i].empty(); ++n) {
      auto const e = generator() % inputs[i].size();
      double const h = 1e-5;
      auto more = inputs, less = inputs;
      more[i][e] += h;
      less[i][e] -= h;
      auto const expected = (objective(more) - objective(less)) / (2 * h);
      CHECK(std::abs(gradient[e] - expected) <= 1e-7 * (1 + std::abs(expected)));
    }
  }
}

TensorType real(Shape shape) { return {DataType::f64, std::move(shape)}; }

/// Extents; -1 is the mini-batch.
TensorType real(std::initializer_list<std::int64_t> extents) {
  Shape shape;
  for (auto size : extents) shape.extents.push_back(size < 0 ? batch_extent : Extent{size, false});
  return real(shape);
}

operators::map gradient_map(std::string_view text, Shape shape) {
  operators::map op;
  op.expression = *parse_expression(text);
  op.shape = std::move(shape);
  op.compute = DataType::f64;
  op.types.assign(op.expression.outputs.size(), DataType::f64);
  return op;
}

constexpr std::int64_t filled_batches[] = {1, 2, 3, 17};

struct Geometry {
  std::vector<std::int64_t> spatial, kernel, stride, padding, dilation;
  std::int64_t channels, filters, groups;
};

Geometry const geometries[] = {
    {{9}, {3}, {1}, {0}, {1}, 2, 3, 1},
    {{11}, {4}, {3}, {2}, {2}, 4, 6, 2},
    {{7, 6}, {3, 3}, {1, 1}, {1, 1}, {1, 1}, 3, 2, 1},
    {{8, 9}, {3, 2}, {2, 3}, {2, 0}, {1, 3}, 2, 4, 2},
    {{5, 5}, {1, 1}, {2, 2}, {0, 0}, {1, 1}, 3, 3, 3},
    {{4, 5, 3}, {2, 3, 2}, {2, 1, 1}, {1, 1, 0}, {1, 1, 2}, 2, 2, 1},
};

Shape shape_of(Extent first, std::int64_t second, std::vector<std::int64_t> const& rest) {
  Shape shape{first, {second, false}};
  for (auto size : rest) shape.extents.push_back({size, false});
  return shape;
}

}  // namespace

TEST_CASE("gradient of map") {
  for (auto samples : filled_batches) {
    Shape const image{batch_extent, {3, false}, {2, false}, {5, false}};
    check(gradient_map("(add(i0, i1))", image), {real(image), real({3, 1, 1})}, samples);
    check(gradient_map("(multiply(tanh(i0), i1), exp(multiply(i0, i2)))", image),
          {real(image), real({-1, 1, 2, 1}), real(Shape{})}, samples);
    check(gradient_map("(divide(i0, add(square(i1), 1)))", Shape{batch_extent, {7, false}}),
          {real({7}), real({-1, 1})}, samples);
    check(gradient_map("(multiply(i0, i0), sigmoid(i0))", Shape{batch_extent}), {real({-1})},
          samples);
    check(gradient_map("(less(i0, i1))", Shape{batch_extent}), {real({-1}), real({1})}, samples, {},
          {0, 1});
  }
}

TEST_CASE("gradient of reduce") {
  for (auto samples : filled_batches)
    for (auto const& axes : {std::vector<std::int64_t>{0}, {1}, {0, 2}, {1, 2}, {0, 1, 2}, {}})
      for (auto mode : {ReduceMode::sum, ReduceMode::max, ReduceMode::min, ReduceMode::product})
        for (auto const* text :
             {"(multiply(square(i0), add(i1, i2)))", "(multiply(i0, i1), add(i0, i2), i1)"}) {
          operators::reduce op;
          op.mode = mode;
          op.expression = *parse_expression(text);
          op.shape = Shape{batch_extent, {4, false}, {3, false}};
          op.axes = axes;
          op.compute = op.type = DataType::f64;
          // The maximum of one number seen many times has no derivative, and products of sums of
          // 200 numbers are too large for differences.
          if (op.expression.outputs.size() > 1 && mode != ReduceMode::sum) continue;
          // Factors are near 0.8^2 (0.8 + 0.8), which is near 1.
          bool const product = mode == ReduceMode::product;
          check(op, {real(op.shape), real({4, 1}), real({-1, 1, 1})}, samples,
                {product ? 0.77 : 0.5, product ? 0.81 : 1.5});
        }
}

TEST_CASE("gradient of a product with zeros is the product of all others") {
  operators::reduce op;
  op.mode = ReduceMode::product;
  op.expression = *parse_expression("(i0)");
  op.shape = Shape{{3}, {4}};
  op.axes = {1};
  op.compute = op.type = DataType::f64;
  Tape tape(op, {real({3, 4})}, {{2, 3, 0, 5, 0, 1, 0, 2, 1, -2, 3, -4}}, {{1, 1, 10}}, 1);
  CHECK(tape.gradient(0) == Values{0, 0, 30, 0, 0, 0, 0, 0, 240, -120, 80, -60});
}

TEST_CASE("gradient of moments and normalise") {
  for (auto samples : filled_batches) {
    if (samples > 1) {
      check(operators::moments{{0}}, {real({-1, 3})}, samples);
      check(operators::moments{{0, 2}}, {real({-1, 3, 5})}, samples);
    }
    check(operators::moments{{1, 2}}, {real({-1, 3, 5})}, samples);
    check(operators::moments{{2}}, {real({-1, 1, 4, 1})}, samples);
    for (bool scale : {false, true})
      for (bool bias : {false, true})
        for (std::int64_t axis : {1, 2}) {
          auto const row = axis == 1 ? real({3, 5}) : real({5});
          TensorTypes types = {real({-1, 3, 5})};
          if (scale) types.push_back(row);
          if (bias) types.push_back(row);
          check(operators::normalise{axis, 1e-2, scale, bias}, types, samples, {}, {}, 1);
        }
    check(operators::normalise{2}, {real({-1, 3})}, samples, {}, {}, 1);
  }
}

TEST_CASE("gradient of matmul") {
  for (auto samples : filled_batches)
    for (bool transpose_a : {false, true})
      for (bool transpose_b : {false, true})
        for (int batch_at : {0, 1, 2}) {  // rows, inner extent, columns
          auto const extent = [&](int at, std::int64_t size) {
            return at == batch_at ? batch_extent : Extent{size, false};
          };
          auto const m = extent(0, 5), k = extent(1, 3), n = extent(2, 7);
          operators::matmul op;
          op.transpose_a = transpose_a;
          op.transpose_b = transpose_b;
          check(op,
                {real(transpose_a ? Shape{k, m} : Shape{m, k}),
                 real(transpose_b ? Shape{n, k} : Shape{k, n})},
                samples);
        }
}

TEST_CASE("gradient of convolution and of its gradients") {
  for (auto samples : filled_batches)
    for (auto const& g : geometries) {
      auto const x = real(shape_of(batch_extent, g.channels, g.spatial));
      auto const kernel = real(shape_of({g.filters, false}, g.channels / g.groups, g.kernel));
      operators::convolution op{g.stride, g.padding, g.dilation, g.groups, {}, {}};
      check(op, {x, kernel}, samples);
      TensorTypes const inputs = {x, kernel};
      auto const y = infer(op, inputs).value()[0];
      check(operators::convolution_input_gradient{g.stride, g.padding, g.dilation, g.groups,
                                                  g.spatial},
            {y, kernel}, samples);
      check(operators::convolution_kernel_gradient{g.stride, g.padding, g.dilation, g.groups,
                                                   g.kernel},
            {x, y}, samples);
    }
}

TEST_CASE("gradient of batched_matmul") {
  for (auto samples : filled_batches)
    for (bool transpose_a : {false, true})
      for (bool transpose_b : {false, true})
        check(operators::batched_matmul{transpose_a, transpose_b, {}, {}},
              {transpose_a ? real({-1, 2, 3, 5}) : real({-1, 2, 5, 3}),
               transpose_b ? real({-1, 2, 4, 3}) : real({-1, 2, 3, 4})},
              samples);
}

TEST_CASE("gradient of gru") {
  for (auto samples : filled_batches)
    for (auto [steps, hidden] : {std::pair{1, 1}, {1, 3}, {4, 5}, {6, 1}})
      check(operators::gru{},
            {real({-1, steps, 3 * hidden}), real({-1, hidden}), real({3 * hidden, hidden}),
             real({3 * hidden})},
            samples, {-1.5, 1.5}, {}, 1);
}

TEST_CASE("gradient of lstm") {
  for (auto samples : filled_batches)
    for (auto [steps, hidden] : {std::pair{1, 1}, {1, 3}, {4, 5}, {6, 1}}) {
      TensorTypes const inputs = {real({-1, steps, 4 * hidden}), real({-1, hidden}),
                                  real({-1, hidden}), real({4 * hidden, hidden})};
      check(operators::lstm{}, inputs, samples, {-1.5, 1.5}, {}, 1);
      check(operators::lstm{}, inputs, samples, {-1.5, 1.5}, {}, 2);
    }
}

TEST_CASE("gradient of attention") {
  for (auto samples : filled_batches)
    for (bool const causal : {false, true})
      for (auto [queries, keys, heads] : {std::array{1, 1, 1}, {3, 5, 2}, {5, 3, 1}})
        check(operators::attention{{3, 0.6, causal}},
              {real({-1, queries, heads * 3}), real({-1, keys, heads * 3}),
               real({-1, keys, heads * 2})},
              samples, {-1.5, 1.5}, {}, 1);
}

TEST_CASE("gradient of attention with a mask") {
  for (auto samples : filled_batches)
    for (bool const causal : {false, true})
      for (auto const& mask : {Shape{{3}, {5}},
                               {{2}, {3}, {5}},
                               {batch_extent, {1}, {1}, {5}},
                               {batch_extent, {2}, {3}, {5}},
                               {{3}, {1}},
                               {}})
        check(operators::attention{{3, 0.6, causal}},
              {real({-1, 3, 6}), real({-1, 5, 6}), real({-1, 5, 4}), real(mask)}, samples,
              {-1.5, 1.5}, {}, 1);
}

TEST_CASE("gradient of external") {
  operators::ExternalLibrary const library{LBANN_EXAMPLE_LAYER, "product_and_sum"};
  Shape const shape{batch_extent, {3}};
  for (auto samples : filled_batches) {
    check(operators::external{library, shape, 2, true}, {real(shape), real(shape)}, samples);
    check(operators::external{library, shape, 2, false}, {real(shape), real(shape)}, samples, {},
          {0, 1});
  }
}

TEST_CASE("gradient of pooling") {
  using operators::PoolMode;
  for (auto samples : filled_batches)
    for (auto mode : {PoolMode::max, PoolMode::average, PoolMode::average_no_pad}) {
      check(operators::pooling{mode, {3}, {2}, {1}}, {real({-1, 2, 9})}, samples);
      check(operators::pooling{mode, {2, 2}, {2, 2}, {0, 0}}, {real({-1, 3, 6, 7})}, samples);
      check(operators::pooling{mode, {3, 2}, {1, 3}, {2, 1}}, {real({-1, 2, 5, 8})}, samples);
      check(operators::pooling{mode, {2, 3, 2}, {2, 1, 2}, {1, 1, 0}}, {real({-1, 1, 4, 5, 3})},
            samples);
    }
}

TEST_CASE("gradient of softmax and cross entropy") {
  for (auto samples : filled_batches) {
    for (bool logarithm : {false, true}) {
      check(operators::softmax{logarithm, 0}, {real({-1, 7})}, samples, {-3, 3});
      check(operators::softmax{logarithm, 0}, {real({-1, 2, 3, 2})}, samples, {-3, 3});
      for (std::int64_t axis : {1, 2, 3})
        for (std::int64_t inner = 0; inner <= 4 - axis; ++inner)
          check(operators::softmax{logarithm, 0, axis, inner}, {real({-1, 2, 3, 2})}, samples,
                {-3, 3});
    }
    check(operators::softmax_cross_entropy{0}, {real({-1, 5}), real({-1, 5})}, samples, {0.2, 1.2});
    check(operators::softmax_cross_entropy{0}, {real({-1, 3, 2}), real({-1, 3, 2})}, samples,
          {0.2, 1.2});
    // Labels from before the first to beyond the last class.
    check(operators::sparse_softmax_cross_entropy{1, 0}, {real({-1, 5}), real({-1, 1})}, samples,
          {-2, 6}, {1}, 1);
    check(operators::sparse_softmax_cross_entropy{2, 1e-3},
          {real({-1, 2, 3, 2}), real({-1, 2, 1, 2})}, samples, {-1, 4}, {1}, 1);
  }
}

TEST_CASE("gradient of slice, concatenate, reshape") {
  for (auto samples : filled_batches) {
    check(operators::slice{1, {0, 2, 5}}, {real({-1, 5, 2})}, samples);
    check(operators::slice{2, {1, 2, 2, 4}}, {real({-1, 2, 7})}, samples);
    check(operators::slice{1, {0, 4}}, {real({-1, 4})}, samples);
    check(operators::concatenate{1}, {real({-1, 2, 3}), real({-1, 1, 3}), real({-1, 4, 3})},
          samples);
    check(operators::reshape{Shape{batch_extent, {6, false}}}, {real({-1, 2, 3})}, samples);
  }
}

TEST_CASE("gradient of gather, scatter, sort, permute, cumulative_sum") {
  for (auto samples : filled_batches) {
    // Indices from before the first to beyond the last.
    check(operators::gather{1, 1}, {real({-1, 7, 3}), real({-1, 5})}, samples, {-1, 8}, {1});
    check(operators::gather{2, 1}, {real({-1, 2, 4}), real({-1, 2, 3})}, samples, {-1, 5}, {1});
    check(operators::gather{0, 0}, {real({6, 2}), real({-1, 4})}, samples, {-1, 7}, {1});
    check(operators::gather{1, 0}, {real({-1, 6}), real({4})}, samples, {-1, 7}, {1});
    check(operators::scatter{real({-1, 7, 3}).shape, 1, 1}, {real({-1, 5, 3}), real({-1, 5})},
          samples, {-1, 8}, {1});
    check(operators::scatter{real({6, 2}).shape, 0, 0}, {real({-1, 4, 2}), real({-1, 4})}, samples,
          {-1, 7}, {1});
    for (bool descending : {false, true})
      check(operators::sort{descending}, {real({-1, 2, 9})}, samples);
    for (bool reverse : {false, true})
      check(operators::cumulative_sum{reverse}, {real({-1, 2, 5})}, samples);
    check(operators::permute{{0, 3, 1, 2}}, {real({-1, 2, 3, 4})}, samples);
    check(operators::permute{{2, 0, 1}}, {real({-1, 2, 3})}, samples);
    check(operators::uniform_hash{}, {real({-1, 3})}, samples, {}, {0});
  }
}
