// Rules of all_reduce.
#include "schemas/operators/all_reduce.hpp"

#include "schemas/operators/formulas.hpp"
#include "schemas/operators/loops.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<all_reduce>) {
  return "x -> y of the same shape\n"
         "y = sum over ranks along `mesh_axes`: x";
}

Result<TensorTypes> all_reduce::infer(std::span<TensorType const> inputs) const {
  if (auto misfit = rules::find_misfit(name, inputs, 1, 1)) return *misfit;
  if (!is_floating(inputs[0].type)) return rules::problem(name, "sums floating-point numbers");
  if (mesh_axes.empty()) return rules::problem(name, "needs an axis of the mesh");
  return TensorTypes{inputs[0]};
}

Loops all_reduce::loops(Signature const& signature) const {
  rules::LoopsBuilder loops(signature);
  loops.add(LoopKind::parallel, 0, signature.inputs[0].shape.rank(), {0}, {0});
  return std::move(loops).finish();
}

// The gradient of a sum over ranks, itself the same on all ranks, is that of each rank's part.
void all_reduce::backward(all_reduce const&, BackwardContext& context) {
  if (context.output_gradient(0).valid() && context.wants(0))
    context.contribute(0, context.output_gradient(0));
}

std::int64_t all_reduce::flops(Signature const&, std::int64_t) const { return 0; }

std::int64_t all_reduce::scratch_bytes(Signature const&, std::int64_t, std::int64_t) const {
  return 0;
}

}  // namespace lbann::operators
