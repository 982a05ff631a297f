// The reference kernels of convolution and pooling: cases by hand, gradients as exact adjoints.
#include <doctest/doctest.h>

#include "kernels/kernel.hpp"
#include "schemas/expression/builder.hpp"

namespace lbann::kernels {

namespace {

std::vector<double> run_on(Operator const& op, std::vector<TensorType> const& types,
                           std::vector<std::vector<double>> data) {
  std::vector<View> in, out;
  for (std::size_t i = 0; i < types.size(); ++i)
    in.push_back(make_view(data[i].data(), types[i], 0));
  auto const inferred = infer(op, types);
  REQUIRE(inferred.good());
  std::vector<double> result(static_cast<std::size_t>(inferred.value()[0].shape.elements(0)));
  out.push_back(make_view(result.data(), inferred.value()[0], 0));
  implementations(op.index()).back().bind({&op, in, out, {}, 0})->run();
  return result;
}

TensorType f64(std::initializer_list<std::int64_t> sizes) {
  return {DataType::f64, Shape(std::span(sizes.begin(), sizes.size()))};
}

double dot(std::vector<double> const& a, std::vector<double> const& b) {
  REQUIRE(a.size() == b.size());
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

std::vector<double> numbers(std::size_t count, double seed) {
  std::vector<double> values(count);
  for (auto& value : values) value = seed = 3.9 * seed * (1 - seed);
  return values;
}

struct Shapes {
  TensorType x, kernel;
  std::vector<std::int64_t> stride, padding, dilation;
  std::int64_t groups;
};

std::vector<std::int64_t> spatial(TensorType const& type) {
  auto sizes = type.shape.at(0);
  return {sizes.begin() + 2, sizes.end()};
}

}  // namespace

TEST_CASE("convolution by hand") {
  operators::convolution const op{{{1}, {1}, {1}, 1}, {}, {}};
  CHECK(run_on(op, {f64({1, 1, 4}), f64({2, 1, 3})}, {{1, 2, 3, 4}, {1, 0, -1, 0, 2, 0}}) ==
        std::vector<double>{-2, -2, -2, 3, 2, 4, 6, 8});
  operators::convolution const apart{{{2}, {0}, {2}, 2}, {}, {}};
  CHECK(run_on(apart, {f64({1, 2, 5}), f64({2, 1, 2})},
               {{1, 2, 3, 4, 5, 10, 20, 30, 40, 50}, {1, 1, 1, -1}}) ==
        std::vector<double>{4, 8, -20, -20});
}

TEST_CASE("gradients of convolution are its adjoints") {
  std::vector<Shapes> const all = {
      {f64({2, 3, 7}), f64({4, 3, 3}), {1}, {0}, {1}, 1},
      {f64({2, 4, 6, 5}), f64({6, 2, 3, 2}), {2, 1}, {1, 1}, {1, 2}, 2},
      {f64({1, 2, 4, 5, 6}), f64({2, 1, 2, 3, 1}), {1, 2, 3}, {1, 0, 0}, {2, 1, 1}, 2},
  };
  for (auto const& s : all) {
    operators::convolution const forward{s.stride, s.padding, s.dilation, s.groups, {}, {}};
    auto const y_type = infer(Operator{forward}, std::vector{s.x, s.kernel}).value()[0];
    auto const x = numbers(static_cast<std::size_t>(s.x.shape.elements(0)), 0.3);
    auto const kernel = numbers(static_cast<std::size_t>(s.kernel.shape.elements(0)), 0.4);
    auto const dy = numbers(static_cast<std::size_t>(y_type.shape.elements(0)), 0.7);
    auto const product = dot(run_on(forward, {s.x, s.kernel}, {x, kernel}), dy);
    operators::convolution_input_gradient const to_input{s.stride, s.padding, s.dilation, s.groups,
                                                         spatial(s.x)};
    CHECK(dot(run_on(to_input, {y_type, s.kernel}, {dy, kernel}), x) ==
          doctest::Approx(product).epsilon(1e-13));
    operators::convolution_kernel_gradient const to_kernel{s.stride, s.padding, s.dilation,
                                                           s.groups, spatial(s.kernel)};
    CHECK(dot(run_on(to_kernel, {s.x, y_type}, {x, dy}), kernel) ==
          doctest::Approx(product).epsilon(1e-13));
  }
}

TEST_CASE("pooling by hand") {
  using operators::PoolMode;
  std::vector<double> const x = {-1, -2, -3, -3, 5, 5};
  auto pooled = [&](PoolMode mode) {
    return run_on(operators::pooling{mode, {3}, {2}, {1}}, {f64({1, 1, 6})}, {x});
  };
  CHECK(pooled(PoolMode::max) == std::vector<double>{-1, -2, 5});
  CHECK(pooled(PoolMode::average) == std::vector<double>{-1, -8.0 / 3, 7.0 / 3});
  CHECK(pooled(PoolMode::average_no_pad) == std::vector<double>{-1.5, -8.0 / 3, 7.0 / 3});
  auto gradient = [&](PoolMode mode) {
    return run_on(operators::pooling_gradient{mode, {3}, {2}, {1}},
                  {f64({1, 1, 6}), f64({1, 1, 3})}, {x, {1, 10, 300}});
  };
  CHECK(gradient(PoolMode::max) == std::vector<double>{1, 10, 0, 0, 300, 0});
  CHECK(gradient(PoolMode::average)[1] == doctest::Approx(1.0 / 3 + 10.0 / 3));
  CHECK(gradient(PoolMode::average_no_pad)[0] == doctest::Approx(0.5));
}

TEST_CASE("matmul by hand, with an epilogue in place") {
  operators::matmul op{true, false, {}, {}};
  CHECK(run_on(op, {f64({2, 1}), f64({2, 3})}, {{2, -1}, {1, 2, 3, 4, 5, 6}}) ==
        std::vector<double>{-2, -1, 0});
  Expression epilogue;
  ExpressionBuilder builder;
  epilogue = builder.finish({builder.operand(1) + builder.operand(0) * 0.5});
  op.epilogue = epilogue;
  op.types = {DataType::f64};
  CHECK(run_on(op, {f64({2, 1}), f64({2, 3}), f64({3})},
               {{2, -1}, {1, 2, 3, 4, 5, 6}, {1, 2, 3}}) == std::vector<double>{0, 1.5, 3});
}

}  // namespace lbann::kernels
