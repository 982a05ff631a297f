// Rules of rank.
#include "schemas/operators/rank.hpp"

#include "schemas/operators/formulas.hpp"
#include "schemas/operators/loops.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<rank>) {
  return "x [batch, ...], i [batch, 1] -> y [batch, 1], i64\n"
         "y[s] = number of entries of x[s] that are larger than x[s, i], or equal and before it";
}

Result<TensorTypes> rank::infer(std::span<TensorType const> inputs) const {
  if (auto misfit = rules::find_misfit(name, inputs, 2, 2)) return *misfit;
  auto const &x = inputs[0], &index = inputs[1];
  if (!is_floating(x.type) || x.shape.rank() < 1)
    return rules::problem(name, "takes floating-point data with a first axis of samples");
  TensorType const expected{DataType::i64, Shape{x.shape.extents[0], {1, false}}};
  if (index != expected) return rules::problem(name, "takes one i64 index per sample");
  return TensorTypes{expected};
}

Loops rank::loops(Signature const& signature) const {
  rules::LoopsBuilder loops(signature);
  loops.add(LoopKind::parallel, 0, 1, {0, 1}, {0});  // samples
  return std::move(loops).finish();
}

// A place has no gradient.
void rank::backward(rank const&, BackwardContext&) {}

std::int64_t rank::flops(Signature const& signature, std::int64_t samples) const {
  return signature.inputs[0].shape.elements(samples);
}

std::int64_t rank::scratch_bytes(Signature const&, std::int64_t, std::int64_t) const { return 0; }

}  // namespace lbann::operators
