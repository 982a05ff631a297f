// The layer `evaluation`: the number an objective or metric is made of.
#include "compiler/layers/plumbing/evaluation.hpp"

#include "compiler/layers/expressions.hpp"
#include "compiler/layers/shape_rules.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> evaluation::output_dims(LayerContext const& context) const {
  // An objective adds up entries, as LBANN's does; a metric of several is a mistake.
  if (auto const& dims = context.inputs[0]; entries(dims) != 1)
    context.report(context.in_objective ? diagnostics::entries_added : diagnostics::not_a_number,
                   "", {to_text(dims)});
  return std::vector<Dims>{};
}

void evaluation::lower(LoweringContext& lowering) const {
  operators::reduce sum;
  sum.expression = operand_itself();
  sum.shape = batched(lowering.input_dims(0));
  for (std::size_t axis = 0; axis < sum.shape.rank(); ++axis)
    sum.axes.push_back(static_cast<std::int64_t>(axis));
  sum.compute = lowering.type();
  sum.type = DataType::f64;
  lowering.measure(lowering.emit(std::move(sum), {lowering.input(0)})[0]);
}

}  // namespace lbann::compiler::layers
