// The layer `rowwise_weights_norms`: one reduction, and roots.
#include "compiler/layers/statistics/rowwise_weights_norms.hpp"

#include "compiler/layers/rearrangement.hpp"
#include "compiler/layers/shape_rules.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> rowwise_weights_norms::output_dims(
    LayerContext const& context) const {
  if (context.given_weights.empty() || !context.given_weights[0]) {
    context.report(diagnostics::rows_of_no_weights, "", {std::string(context.name)});
    return std::nullopt;
  }
  // LBANN's matrix has the leading dims as its height.
  auto const& role = *context.given_weights[0];
  auto const height = role.dims.size() - role.width_dims;
  return std::vector<Dims>{Dims{
      *entries(Dims(role.dims.begin(), role.dims.begin() + static_cast<std::ptrdiff_t>(height)))}};
}

std::vector<WeightsRole> rowwise_weights_norms::weights(LayerContext const& context) const {
  if (context.given_weights.empty() || !context.given_weights[0]) return {};
  return {*context.given_weights[0]};
}

void rowwise_weights_norms::lower(LoweringContext& lowering) const {
  auto const rows = lowering.output_dims(0)[0];
  auto const columns = *entries(lowering.weights_dims(0)) / rows;
  Shape const matrix{{rows, false}, {columns, false}};
  operators::reduce squares;
  squares.expression = expression_of(Function::square, 1);
  squares.shape = matrix;
  squares.axes = {1};
  squares.compute = squares.type = lowering.type();
  auto const sums =
      lowering.emit(std::move(squares), {lowering.reshape(lowering.weights(0), matrix)})[0];
  ExpressionBuilder build;
  lowering.output(0, lowering.map(build.finish({root_of(build.operand(0))}), {sums},
                                  batched(lowering.output_dims(0))));
}

}  // namespace lbann::compiler::layers
