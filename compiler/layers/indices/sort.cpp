// The layer `sort`: one operator.
#include "compiler/layers/indices/sort.hpp"

#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> sort::output_dims(LayerContext const& context) const {
  return same_as_input(context);
}

void sort::lower(LoweringContext& lowering) const {
  auto const x =
      lowering.reshape(lowering.input(0), batched(Dims{*entries(lowering.input_dims(0))}));
  lowering.output(0, lowering.emit(operators::sort{descending}, {x})[0]);
}

}  // namespace lbann::compiler::layers
