// The layer `select`: one map of one to three inputs.
#include "compiler/layers/choices/select.hpp"

#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> select::output_dims(LayerContext const& context) const {
  std::size_t const inputs = 3u - (constant_if_true ? 1u : 0u) - (constant_if_false ? 1u : 0u);
  if (context.inputs.size() != inputs) {
    context.report(
        diagnostics::parent_count, "",
        {std::string(context.name),
         std::to_string(inputs) + (inputs == 1 ? " parent" : " parents") + " with these fields",
         std::to_string(context.inputs.size())});
    return std::nullopt;
  }
  return same_as_inputs(context);
}

void select::lower(LoweringContext& lowering) const {
  ExpressionBuilder build;
  std::vector<TensorId> inputs;
  auto const next = [&] {
    inputs.push_back(lowering.input(inputs.size()));
    return build.operand(inputs.size() - 1);
  };
  auto const distance = of(Function::abs, next() - value);
  auto const a = constant_if_true ? build.constant(value_if_true) : next();
  auto const b = constant_if_false ? build.constant(value_if_false) : next();
  auto const chosen = of(Function::select, of(Function::less, distance, epsilon), a, b);
  lowering.output(0, lowering.map(build.finish({chosen}), std::move(inputs)));
}

}  // namespace lbann::compiler::layers
