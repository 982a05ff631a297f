// The layer `one_hot`: each place compared with the index.
#include "compiler/layers/indices/one_hot.hpp"

#include "compiler/layers/rearrangement.hpp"
#include "compiler/layers/shape_rules.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> one_hot::output_dims(LayerContext const& context) const {
  if (entries(context.inputs[0]) != 1) {
    context.report(diagnostics::input_dims, "",
                   {"0", std::string(context.name), "[1]", to_text(context.inputs[0])});
    return std::nullopt;
  }
  return std::vector<Dims>{Dims{size}};
}

void one_hot::lower(LoweringContext& lowering) const {
  ExpressionBuilder build;
  auto const named = build.apply(Function::floor, {build.operand(0)});
  auto const expression = build.finish({build.apply(Function::equal, {named, build.operand(1)})});
  auto const index = lowering.reshape(lowering.input(0), batched(Dims{1}));
  lowering.output(0, lowering.map(expression, {index, places(lowering, size)}));
}

}  // namespace lbann::compiler::layers
