// Rules of reduce_scatter.
#include "schemas/operators/reduce_scatter.hpp"

#include "schemas/operators/formulas.hpp"
#include "schemas/operators/loops.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<reduce_scatter>) {
  return "x -> y of the same shape\n"
         "y = sum over ranks along `mesh_axes`: x, of which each of them keeps its part of "
         "`dimension`";
}

Result<TensorTypes> reduce_scatter::infer(std::span<TensorType const> inputs) const {
  if (auto misfit = rules::find_misfit(name, inputs, 1, 1)) return *misfit;
  if (!is_floating(inputs[0].type)) return rules::problem(name, "sums floating-point numbers");
  if (dimension < 0 || dimension >= static_cast<std::int64_t>(inputs[0].shape.rank()))
    return rules::problem(name, "has no dimension " + std::to_string(dimension) + " to split");
  if (mesh_axes.empty()) return rules::problem(name, "needs an axis of the mesh");
  return TensorTypes{inputs[0]};
}

Loops reduce_scatter::loops(Signature const& signature) const {
  rules::LoopsBuilder loops(signature);
  loops.add(LoopKind::parallel, 0, signature.inputs[0].shape.rank(), {0}, {0});
  return std::move(loops).finish();
}

// Collectives are inserted after gradients have been derived; of the tensor as a whole this is the
// identity.
void reduce_scatter::backward(reduce_scatter const&, BackwardContext& context) {
  if (context.output_gradient(0).valid() && context.wants(0))
    context.contribute(0, context.output_gradient(0));
}

std::int64_t reduce_scatter::flops(Signature const&, std::int64_t) const { return 0; }

std::int64_t reduce_scatter::scratch_bytes(Signature const&, std::int64_t, std::int64_t) const {
  return 0;
}

}  // namespace lbann::operators
