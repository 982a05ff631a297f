// The layer `dft_abs`: products with cosines and sines along one spatial axis after the other.
#include "compiler/layers/statistics/dft_abs.hpp"

#include <numbers>

#include "compiler/layers/rearrangement.hpp"
#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

namespace {

/// [extent, extent] of cos or sin(2 pi j k / extent).
TensorId waves(LoweringContext& lowering, Function function, std::int64_t extent) {
  ExpressionBuilder build;
  auto const n = static_cast<double>(extent);
  // Whole numbers below 2^53: the angle is as exact in the last row as in the first.
  auto const part =
      build.apply(Function::mod, {build.operand(0) * build.operand(1), build.constant(n)});
  operators::map map;
  map.expression = build.finish({build.apply(function, {part * (2 * std::numbers::pi / n)})});
  map.shape = Shape{{extent}, {extent}};
  map.compute = DataType::f64;
  map.types = {lowering.type()};
  auto const numbers = lowering.emit(operators::iota{extent, DataType::i64}, {})[0];
  return lowering.emit(std::move(map),
                       {lowering.reshape(numbers, Shape{{extent}, {1}}), numbers})[0];
}

/// A complex tensor; without `imaginary` a real one.
struct Complex {
  TensorId real, imaginary;
};

/// Transforms the rows of `x` [rows, extent].
Complex transformed(LoweringContext& lowering, Complex const& x, std::int64_t extent) {
  auto const cosines = waves(lowering, Function::cos, extent);
  auto const sines = waves(lowering, Function::sin, extent);
  auto const product = [&](TensorId rows, TensorId columns) {
    return lowering.emit(operators::matmul{}, {rows, columns})[0];
  };
  // (a + i b) (c - i s)
  auto const a_c = product(x.real, cosines), a_s = product(x.real, sines);
  if (!x.imaginary.valid()) return {a_c, lowering.map(expression_of(Function::negative, 1), {a_s})};
  auto const b_c = product(x.imaginary, cosines), b_s = product(x.imaginary, sines);
  return {lowering.map(sum_of_two(), {a_c, b_s}),
          lowering.map(expression_of(Function::subtract, 2), {b_c, a_s})};
}

}  // namespace

std::optional<std::vector<Dims>> dft_abs::output_dims(LayerContext const& context) const {
  if (!spatial_axes(context, 0)) return std::nullopt;
  return same_as_input(context);
}

void dft_abs::lower(LoweringContext& lowering) const {
  auto const& dims = lowering.input_dims(0);
  auto const size = *entries(dims);
  Complex x{lowering.input(0), {}};
  // The axis transformed is the last, and then goes before the others: so all come round.
  auto const spatial = size / dims[0];
  for (auto axis = dims.size(); axis-- > 1;) {
    auto const extent = dims[axis];
    auto const each = [&](auto const& f) {
      x.real = f(x.real);
      if (x.imaginary.valid()) x.imaginary = f(x.imaginary);
    };
    each([&](TensorId t) { return lowering.reshape(t, Shape{{size / extent, true}, {extent}}); });
    x = transformed(lowering, x, extent);
    if (spatial == extent) continue;
    each([&](TensorId t) {
      auto const planes = lowering.reshape(t, Shape{{dims[0], true}, {spatial / extent}, {extent}});
      return lowering.emit(operators::permute{{0, 2, 1}}, {planes})[0];
    });
  }
  ExpressionBuilder build;
  auto const square = build.operand(0) * build.operand(0) + build.operand(1) * build.operand(1);
  lowering.output(0, lowering.map(build.finish({root_of(square)}), {x.real, x.imaginary}));
}

}  // namespace lbann::compiler::layers
