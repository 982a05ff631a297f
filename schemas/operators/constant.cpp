// Rules of constant.
#include "schemas/operators/constant.hpp"

#include "schemas/operators/formulas.hpp"
#include "schemas/operators/loops.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<constant>) {
  return "-> y [shape]\n"
         "y = values, in C order";
}

Result<TensorTypes> constant::infer(std::span<TensorType const> inputs) const {
  if (auto misfit = rules::find_misfit(name, inputs, 0, 0)) return *misfit;
  if (!rules::sound(shape) || shape.has_batch())
    return rules::problem(name, "no constant has shape " + to_text(shape));
  if (!is_floating(type)) return rules::problem(name, "gives floating-point numbers");
  if (shape.elements(0) != static_cast<std::int64_t>(values.size()))
    return rules::problem(name,
                          std::to_string(values.size()) + " numbers for shape " + to_text(shape));
  return TensorTypes{{type, shape}};
}

Loops constant::loops(Signature const& signature) const {
  // A part would have to know where it begins.
  return rules::LoopsBuilder(signature).finish();
}

// There is nothing a gradient could go to.
void constant::backward(constant const&, BackwardContext&) {}

std::int64_t constant::flops(Signature const&, std::int64_t) const { return 0; }

std::int64_t constant::scratch_bytes(Signature const&, std::int64_t, std::int64_t) const {
  return 0;
}

}  // namespace lbann::operators
