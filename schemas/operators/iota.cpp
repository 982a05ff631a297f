// Rules of iota.
#include "schemas/operators/iota.hpp"

#include "schemas/operators/formulas.hpp"
#include "schemas/operators/loops.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<iota>) {
  return "-> y [extent]\n"
         "y[i] = i";
}

Result<TensorTypes> iota::infer(std::span<TensorType const> inputs) const {
  if (auto misfit = rules::find_misfit(name, inputs, 0, 0)) return *misfit;
  TensorType const output{type, Shape{{extent, false}}};
  if (!rules::sound(output.shape))
    return rules::problem(name, "no tensor has shape " + to_text(output.shape));
  return TensorTypes{output};
}

Loops iota::loops(Signature const& signature) const {
  // A part would have to know where it begins.
  return rules::LoopsBuilder(signature).finish();
}

// Nothing goes in that could have a gradient.
void iota::backward(iota const&, BackwardContext&) {}

std::int64_t iota::flops(Signature const&, std::int64_t) const { return 0; }

std::int64_t iota::scratch_bytes(Signature const&, std::int64_t, std::int64_t) const { return 0; }

}  // namespace lbann::operators
