// Normalisation over the mini-batch: moments, numbers for each kept entry, and one map.
#include "compiler/layers/normalisation/batch_statistics.hpp"

#include "compiler/initializers/constant_initializer.hpp"
#include "schemas/expression/function_list.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::compiler::layers {

std::vector<WeightsRole> BatchStatistics::running_weights(Dims const& dims) {
  WeightsRole mean{"_running_mean", dims, preset<initializers::constant_initializer>()};
  WeightsRole variance{"_running_variance", dims, preset(initializers::constant_initializer{1})};
  mean.trained = variance.trained = false;
  return {std::move(mean), std::move(variance)};
}

/// max(m2 / (count - 1), epsilon); 1 for a single value.
Term BatchStatistics::variance_of(ExpressionBuilder& build, Term m2, Term count) const {
  auto const one = build.constant(1);
  auto const divisor = build.apply(Function::maximum, {bessel ? count - 1.0 : count, one});
  auto const variance = build.apply(Function::maximum, {m2 / divisor, build.constant(epsilon)});
  return build.apply(Function::select,
                     {build.apply(Function::less_equal, {count, one}), one, variance});
}

/// Running statistics (operand 0) after a step with these moments (1) of so many values (2).
Expression BatchStatistics::moved(bool is_variance) const {
  ExpressionBuilder build;
  auto const before = build.operand(0), moment = build.operand(1), count = build.operand(2);
  auto const now = is_variance ? variance_of(build, moment, count) : moment;
  auto const after = before * decay + now * (1 - decay);
  auto const single = build.apply(Function::less_equal, {count, build.constant(1)});
  return build.finish({build.apply(Function::select, {single, before, after})});
}

BatchStatistics::Result BatchStatistics::of_mini_batch(LoweringContext& lowering, TensorId x,
                                                       Shape const& kept_shape) const {
  operators::moments moments{{0}};
  for (auto axis = 1 + kept; axis <= lowering.input_dims(0).size(); ++axis)
    moments.axes.push_back(static_cast<std::int64_t>(axis));
  auto const found = lowering.emit(std::move(moments), {x});
  auto const count = found[0], mean = found[1], m2 = found[2];
  lowering.update(running, moved(false), {mean, count});
  lowering.update(running + 1, moved(true), {m2, count});

  // In f64, as the moments are; the bias with them, so that one pass gives all their gradients.
  ExpressionBuilder build;
  auto const variance = variance_of(build, build.operand(0), build.operand(1));
  auto factor = 1.0 / build.apply(Function::sqrt, {variance + epsilon});
  std::vector<Term> terms;
  std::vector<TensorId> inputs = {m2, count};
  if (affine) {
    terms = {build.operand(2) * factor, build.operand(3)};
    inputs.insert(inputs.end(), {lowering.weights(0), lowering.weights(1)});
  } else {
    terms = {factor};
  }
  operators::map map;
  map.expression = build.finish(terms);
  map.shape = kept_shape;
  map.compute = DataType::f64;
  map.types.assign(terms.size(), DataType::f64);
  auto const results = lowering.emit(std::move(map), std::move(inputs));
  return {mean, results[0], affine ? results[1] : TensorId()};
}

BatchStatistics::Result BatchStatistics::of_training(LoweringContext& lowering) const {
  ExpressionBuilder build;
  auto factor = 1.0 / build.apply(Function::sqrt, {build.operand(0) + epsilon});
  std::vector<TensorId> inputs = {lowering.weights(running + 1)};
  if (affine) {
    factor = build.operand(1) * factor;
    inputs.push_back(lowering.weights(0));
  }
  return {lowering.weights(running), lowering.map(build.finish({factor}), std::move(inputs)),
          affine ? lowering.weights(1) : TensorId()};
}

void BatchStatistics::lower(LoweringContext& lowering) const {
  auto const x = lowering.input(0);
  auto const& dims = lowering.input_dims(0);
  Dims const kept_dims(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(kept));
  auto const found =
      lowering.training() ? of_mini_batch(lowering, x, Shape(kept_dims)) : of_training(lowering);
  auto spread_dims = kept_dims;
  spread_dims.resize(dims.size(), 1);
  auto const spread = [&](TensorId tensor) { return lowering.reshape(tensor, Shape(spread_dims)); };
  ExpressionBuilder build;
  auto y = (build.operand(0) - build.operand(1)) * build.operand(2);
  std::vector<TensorId> inputs = {x, spread(found.center), spread(found.factor)};
  if (affine) {
    y = y + build.operand(3);
    inputs.push_back(spread(found.bias));
  }
  lowering.output(0, lowering.map(build.finish({y}), std::move(inputs)));
}

}  // namespace lbann::compiler::layers
