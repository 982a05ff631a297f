// Rules of all_gather.
#include "schemas/operators/all_gather.hpp"

#include "schemas/operators/formulas.hpp"
#include "schemas/operators/loops.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<all_gather>) {
  return "x -> y of the same shape\n"
         "y = the parts of x of all ranks along `mesh_axes`, each at its place";
}

Result<TensorTypes> all_gather::infer(std::span<TensorType const> inputs) const {
  if (auto misfit = rules::find_misfit(name, inputs, 1, 1)) return *misfit;
  if (mesh_axes.empty()) return rules::problem(name, "needs an axis of the mesh");
  return TensorTypes{inputs[0]};
}

Loops all_gather::loops(Signature const& signature) const {
  rules::LoopsBuilder loops(signature);
  loops.add(LoopKind::parallel, 0, signature.inputs[0].shape.rank(), {0}, {0});
  return std::move(loops).finish();
}

// Collectives are inserted after gradients have been derived; of the tensor as a whole this is the
// identity.
void all_gather::backward(all_gather const&, BackwardContext& context) {
  if (context.output_gradient(0).valid() && context.wants(0))
    context.contribute(0, context.output_gradient(0));
}

std::int64_t all_gather::flops(Signature const&, std::int64_t) const { return 0; }

std::int64_t all_gather::scratch_bytes(Signature const&, std::int64_t, std::int64_t) const {
  return 0;
}

}  // namespace lbann::operators
