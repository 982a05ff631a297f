// Rules of sort.
#include "schemas/operators/sort.hpp"

#include "schemas/operators/formulas.hpp"
#include "schemas/operators/list.hpp"
#include "schemas/operators/loops.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<sort>) {
  return "x [..., n] -> y [..., n], i [..., n] of i64\n"
         "y[j] = x[i[j]] in ascending or descending order; equals in their order, NaN last";
}

Result<TensorTypes> sort::infer(std::span<TensorType const> inputs) const {
  if (auto misfit = rules::find_misfit(name, inputs, 1, 1)) return *misfit;
  auto const& x = inputs[0];
  if (!is_floating(x.type) || x.shape.rank() < 1)
    return rules::problem(name, "takes floating-point data with at least one axis");
  if (x.shape.extents.back().batch) return rules::problem(name, "samples have no order");
  return TensorTypes{x, {DataType::i64, x.shape}};
}

Loops sort::loops(Signature const& signature) const {
  rules::LoopsBuilder loops(signature);
  loops.add(LoopKind::parallel, 0, signature.inputs[0].shape.rank() - 1, {0}, {0, 1});
  return std::move(loops).finish();
}

void sort::backward(sort const&, BackwardContext& context) {
  auto const gradient = context.output_gradient(0);
  if (!gradient.valid() || !context.wants(0)) return;
  auto const shape = context.type_of(context.input(0)).shape;
  auto const last = static_cast<std::int64_t>(shape.rank()) - 1;
  context.contribute(0, context.emit(scatter{shape, last, last}, {gradient, context.output(1)})[0]);
}

// The number of comparisons depends on the data: none is counted.
std::int64_t sort::flops(Signature const&, std::int64_t) const { return 0; }

std::int64_t sort::scratch_bytes(Signature const& signature, std::int64_t samples,
                                 std::int64_t) const {
  // The indices once more: merging goes from one place to another.
  return rules::bytes_of(signature.outputs[1], samples);
}

}  // namespace lbann::operators
