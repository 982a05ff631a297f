// The layer `in_top_k`: ones put where the first of the sorted entries stood.
#include "compiler/layers/indices/in_top_k.hpp"

#include "compiler/layers/expressions.hpp"
#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> in_top_k::output_dims(LayerContext const& context) const {
  return same_as_input(context);
}

void in_top_k::lower(LoweringContext& lowering) const {
  auto const size = *entries(lowering.input_dims(0));
  auto const all = batched(Dims{size});
  if (k == 0 || k >= size) return lowering.output(0, filled(lowering, k == 0 ? 0 : 1, {size}));
  auto const x = lowering.reshape(lowering.input(0), all);
  auto const places = lowering.emit(operators::sort{true}, {x})[1];
  auto const largest = lowering.emit(operators::slice{1, {0, k}}, {places})[0];
  lowering.output(
      0, lowering.emit(operators::scatter{all, 1, 1}, {filled(lowering, 1, {k}), largest})[0]);
}

}  // namespace lbann::compiler::layers
