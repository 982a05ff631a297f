// The layer `weighted_sum`: maps of up to sixteen inputs.
#include "compiler/layers/products/weighted_sum.hpp"

#include "compiler/layers/expressions.hpp"
#include "compiler/layers/shape_rules.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> weighted_sum::output_dims(LayerContext const& context) const {
  if (scaling_factors.size() != context.inputs.size()) {
    context.report(diagnostics::values_and_parents, "scaling_factors",
                   {"scaling_factors", std::to_string(scaling_factors.size()),
                    std::string(context.name), std::to_string(context.inputs.size())});
    return std::nullopt;
  }
  return same_as_inputs(context);
}

void weighted_sum::lower(LoweringContext& lowering) const {
  lowering.output(0, joined_inputs(lowering, Function::add, [this](Term x, std::size_t i) {
                    return x * scaling_factors[i];
                  }));
}

}  // namespace lbann::compiler::layers
