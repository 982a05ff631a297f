// Rules of reshape.
#include "schemas/operators/reshape.hpp"

#include <numeric>

#include "schemas/operators/formulas.hpp"
#include "schemas/operators/loops.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<reshape>) {
  return "x -> y [shape]\n"
         "y = the entries of x in the same order, where they lie";
}

Result<TensorTypes> reshape::infer(std::span<TensorType const> inputs) const {
  if (auto misfit = rules::find_misfit(name, inputs, 1, 1)) return *misfit;
  auto const& x = inputs[0];
  if (!rules::sound(shape)) return rules::problem(name, "no tensor has shape " + to_text(shape));
  if (shape.has_batch() != x.shape.has_batch() || shape.elements(1) != x.shape.elements(1))
    return rules::problem(name,
                          to_text(x.shape) + " has not as many elements as " + to_text(shape));
  return TensorTypes{{x.type, shape}};
}

Loops reshape::loops(Signature const& signature) const {
  rules::LoopsBuilder loops(signature);
  auto const &from = signature.inputs[0].shape.extents, &to = shape.extents;
  // Neighbouring dimensions of both sides that hold the same elements: where the first ones have a
  // common divisor, so many equal pieces of one are those of the other.
  for (std::size_t i = 0, j = 0; i < from.size() && j < to.size(); ++i, ++j) {
    auto const first = i, second = j;
    auto a = from[i], b = to[j];
    while (a != b) {
      bool const left = a.size < b.size || (a.size == b.size && !a.batch);
      if (left ? i + 1 == from.size() : j + 1 == to.size()) break;
      auto& product = left ? a : b;
      auto const next = left ? from[++i] : to[++j];
      product = {rules::times(product.size, next.size), product.batch || next.batch};
    }
    if (from[first].batch != to[second].batch) continue;
    Extent const pieces{std::gcd(from[first].size, to[second].size), from[first].batch};
    loops.add(LoopKind::parallel, pieces, {rules::input(0, first), rules::output(0, second)});
  }
  return std::move(loops).finish();
}

void reshape::backward(reshape const&, BackwardContext& context) {
  auto const gradient = context.output_gradient(0);
  if (!gradient.valid() || !context.wants(0)) return;
  auto const shape = context.type_of(context.input(0)).shape;
  context.contribute(0, rules::reshaped(context, gradient, shape));
}

std::int64_t reshape::flops(Signature const&, std::int64_t) const { return 0; }

std::int64_t reshape::scratch_bytes(Signature const&, std::int64_t, std::int64_t) const {
  return 0;
}

}  // namespace lbann::operators
