// Rules of argmax.
#include "schemas/operators/argmax.hpp"

#include "schemas/operators/formulas.hpp"
#include "schemas/operators/loops.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<argmax>) {
  return "x [batch, ...] -> y [batch, 1], i64\n"
         "y[s] = index of the largest entry of x[s], the first of equals";
}

Result<TensorTypes> argmax::infer(std::span<TensorType const> inputs) const {
  if (auto misfit = rules::find_misfit(name, inputs, 1, 1)) return *misfit;
  if (!is_floating(inputs[0].type) || inputs[0].shape.rank() < 1)
    return rules::problem(name, "takes floating-point data with a first axis of samples");
  return TensorTypes{{DataType::i64, Shape{inputs[0].shape.extents[0], {1, false}}}};
}

Loops argmax::loops(Signature const& signature) const {
  rules::LoopsBuilder loops(signature);
  loops.add(LoopKind::parallel, 0, 1, {0}, {0});  // samples
  return std::move(loops).finish();
}

// An index has no gradient.
void argmax::backward(argmax const&, BackwardContext&) {}

std::int64_t argmax::flops(Signature const& signature, std::int64_t samples) const {
  return signature.inputs[0].shape.elements(samples);
}

std::int64_t argmax::scratch_bytes(Signature const&, std::int64_t, std::int64_t) const { return 0; }

}  // namespace lbann::operators
