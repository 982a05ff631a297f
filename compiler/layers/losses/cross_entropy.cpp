// The layer `cross_entropy`: one reduction.
#include "compiler/layers/losses/cross_entropy.hpp"

#include "compiler/layers/expressions.hpp"
#include "compiler/layers/shape_rules.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler::layers {

namespace {

/// - w log p (operand 0), w 1 where the class (2) is the one expected (1) and 0 elsewhere, brought
/// together by `smoothing` over `classes`.
Expression smoothed_term(double smoothing, std::int64_t classes) {
  ExpressionBuilder build;
  auto const expected = build.apply(
      Function::equal, {build.operand(2), build.apply(Function::floor, {build.operand(1)})});
  auto const spread = smoothing / static_cast<double>(classes);
  auto const weight = build.apply(
      Function::select, {expected, build.constant(1 - smoothing + spread), build.constant(spread)});
  return build.finish({-(weight * build.apply(Function::log, {build.operand(0)}))});
}

/// The truth with a part spread over all classes.
Expression smoothed(double smoothing, std::int64_t classes) {
  ExpressionBuilder build;
  return build.finish(
      {build.operand(0) * (1 - smoothing) + smoothing / static_cast<double>(classes)});
}

}  // namespace

std::optional<std::vector<Dims>> cross_entropy::output_dims(LayerContext const& context) const {
  if (!use_labels) {
    auto const& dims = context.inputs[1];
    if (label_smoothing == 0 || dims.size() == 1) return one_number(context);
    context.report(diagnostics::smoothing_dims, "label_smoothing",
                   {std::string(context.name), to_text(dims)});
    return std::nullopt;
  }
  auto positions = context.inputs[0];
  positions[0] = 1;
  if (context.inputs[1] != positions) {
    auto& diagnostic = context.report(diagnostics::labels_dims, "use_labels",
                                      {std::string(context.name), to_text(positions),
                                       to_text(context.inputs[0]), to_text(context.inputs[1])});
    if (checked_product(context.inputs[1]) == checked_product(positions))
      diagnostic.notes.push_back("`reshape: {dims: " + to_text(positions) +
                                 "}` before it gives the labels these dims");
    return std::nullopt;
  }
  return std::vector<Dims>{Dims{1}};
}

void cross_entropy::lower(LoweringContext& lowering) const {
  auto const& dims = lowering.input_dims(0);
  std::vector<TensorId> inputs = {lowering.input(0), lowering.input(1)};
  if (!use_labels && label_smoothing > 0)
    inputs[1] = lowering.map(smoothed(label_smoothing, dims[0]), {inputs[1]});
  if (!use_labels)
    return lowering.output(0, sum_over_sample(lowering, operators::softmax_cross_entropy::term(),
                                              std::move(inputs), dims));
  Dims classes(dims.size(), 1);
  classes[0] = dims[0];
  auto const numbers = lowering.emit(operators::iota{dims[0], lowering.type()}, {})[0];
  inputs.push_back(lowering.reshape(numbers, Shape(classes)));
  auto const term = label_smoothing > 0 ? smoothed_term(label_smoothing, dims[0])
                                        : operators::sparse_softmax_cross_entropy::term();
  lowering.output(0, sum_over_sample(lowering, term, std::move(inputs), dims));
}

}  // namespace lbann::compiler::layers
