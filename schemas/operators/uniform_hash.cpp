// Rules of uniform_hash.
#include "schemas/operators/uniform_hash.hpp"

#include "schemas/operators/formulas.hpp"
#include "schemas/operators/loops.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<uniform_hash>) {
  return "x -> y of the same shape\n"
         "y[i] = h / 2^64, h the last 8 bytes of the MD5 digest of the bytes of x[i], both with "
         "the lowest byte first";
}

Result<TensorTypes> uniform_hash::infer(std::span<TensorType const> inputs) const {
  if (auto misfit = rules::find_misfit(name, inputs, 1, 1)) return *misfit;
  if (inputs[0].type != DataType::f32 && inputs[0].type != DataType::f64)
    return rules::problem(name, "takes f32 or f64");
  return TensorTypes{inputs[0]};
}

Loops uniform_hash::loops(Signature const& signature) const {
  rules::LoopsBuilder loops(signature);
  loops.add(LoopKind::parallel, 0, signature.inputs[0].shape.rank(), {0}, {0});
  return std::move(loops).finish();
}

// A hash has no gradient.
void uniform_hash::backward(uniform_hash const&, BackwardContext&) {}

std::int64_t uniform_hash::flops(Signature const&, std::int64_t) const { return 0; }

std::int64_t uniform_hash::scratch_bytes(Signature const&, std::int64_t, std::int64_t) const {
  return 0;
}

}  // namespace lbann::operators
