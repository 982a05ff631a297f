// The layer `mini_batch_index`: the place of the sample in the pass, whose mini-batches are all
// full but for the last.
#include "compiler/layers/plumbing/mini_batch_index.hpp"

#include "schemas/expression/builder.hpp"
#include "schemas/expression/function_list.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> mini_batch_index::output_dims(LayerContext const&) const {
  return std::vector<Dims>{Dims{1}};
}

void mini_batch_index::lower(LoweringContext& lowering) const {
  auto const place = lowering.emit(operators::sample_index{}, {lowering.first_sample()})[0];
  ExpressionBuilder build;
  operators::map map;
  auto const full = build.constant(static_cast<double>(lowering.full_mini_batch()));
  map.expression = build.finish({build.apply(Function::mod, {build.operand(0), full})});
  map.shape = batched(Dims{});
  map.compute = DataType::f64;
  map.types = {lowering.type()};
  lowering.output(0, lowering.emit(std::move(map), {place})[0]);
}

}  // namespace lbann::compiler::layers
