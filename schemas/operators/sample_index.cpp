// Rules of sample_index.
#include "schemas/operators/sample_index.hpp"

#include "schemas/operators/formulas.hpp"
#include "schemas/operators/loops.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<sample_index>) {
  return "first [] -> y [batch], i64\n"
         "y[s] = first + s, s over the samples of the rank";
}

Result<TensorTypes> sample_index::infer(std::span<TensorType const> inputs) const {
  if (auto misfit = rules::find_misfit(name, inputs, 1, 1)) return *misfit;
  if (inputs[0] != TensorType{DataType::i64, {}})
    return rules::problem(name, "the first place is no i64 scalar");
  return TensorTypes{{DataType::i64, Shape{batch_extent}}};
}

Loops sample_index::loops(Signature const& signature) const {
  rules::LoopsBuilder loops(signature);
  loops.add(LoopKind::parallel, {rules::output(0, 0)});
  return std::move(loops).finish();
}

// An index has no gradient.
void sample_index::backward(sample_index const&, BackwardContext&) {}

// Arithmetic of indices does not count.
std::int64_t sample_index::flops(Signature const&, std::int64_t) const { return 0; }

std::int64_t sample_index::scratch_bytes(Signature const&, std::int64_t, std::int64_t) const {
  return 0;
}

}  // namespace lbann::operators
