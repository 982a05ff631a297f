// Scale and bias in one weights object: two columns, one map.
#include "compiler/layers/learned/scale_bias.hpp"

#include "compiler/initializers/value_initializer.hpp"
#include "schemas/diagnostics/catalogue.hpp"
#include "schemas/expression/builder.hpp"

namespace lbann::compiler::layers {

WeightsRole scale_and_bias(std::int64_t count) {
  std::vector<double> values(static_cast<std::size_t>(count), 1);
  values.resize(2 * static_cast<std::size_t>(count), 0);
  WeightsRole role{
      "_weights", {count, 2}, preset(initializers::value_initializer{std::move(values)})};
  role.width_dims = 1;
  return role;
}

bool check_scale_and_bias(LayerContext const& context, std::int64_t count) {
  constexpr std::int64_t most = std::int64_t{1} << 24;
  if (count <= most) return true;
  context.report(diagnostics::too_many_to_list, "",
                 {std::string(context.name), std::to_string(count), std::to_string(most)});
  return false;
}

void lower_scale_and_bias(LoweringContext& lowering, Dims const& dims) {
  auto const columns = lowering.emit(operators::slice{1, {0, 1, 2}}, {lowering.weights(0)});
  auto const scale = lowering.reshape(columns[0], Shape(dims));
  auto const bias = lowering.reshape(columns[1], Shape(dims));
  ExpressionBuilder build;
  lowering.output(
      0, lowering.map(build.finish({build.operand(0) * build.operand(1) + build.operand(2)}),
                      {lowering.input(0), scale, bias}));
}

}  // namespace lbann::compiler::layers
