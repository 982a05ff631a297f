// The layer `weights_layer`: its weights, the same for each sample.
#include "compiler/layers/weights_layer.hpp"

#include "compiler/layers/expressions.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> weights_layer::output_dims(LayerContext const& context) const {
  if (dims.empty() || !checked_product(dims)) {
    context.complain(diagnostics::number_too_large, "dims", {std::string(context.name)});
    return std::nullopt;
  }
  return std::vector<Dims>{dims};
}

std::vector<WeightsRole> weights_layer::weights(LayerContext const& context) const {
  static_cast<void>(context);
  return {{"_weights", dims, "constant_initializer"}};
}

void weights_layer::lower(Lowering& lowering) const {
  lowering.output(0, lowering.map(operand_itself(), {lowering.weights(0)}, batched(dims)));
}

}  // namespace lbann::compiler::layers
