// Rules of random.
#include "schemas/operators/random.hpp"

#include <cmath>

#include "schemas/operators/formulas.hpp"
#include "schemas/operators/loops.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<random>) {
  return "seed [], step [], first_sample [] -> y [shape]\n"
         "uniform: first + (second - first) u; normal: first + second e; bernoulli: second with "
         "probability first, else 0\n"
         "Philox 4x32-10 with key (seed, key) and counter (step, sample, element / 4)";
}

Result<TensorTypes> random::infer(std::span<TensorType const> inputs) const {
  if (auto misfit = rules::find_misfit(name, inputs, 3, 3)) return *misfit;
  for (auto const& input : inputs)
    if (input != TensorType{DataType::i64, Shape{}})
      return rules::problem(name, "seed, step and first sample are i64 scalars");
  if (!rules::sound(shape)) return rules::problem(name, "no tensor has shape " + to_text(shape));
  for (std::size_t i = 1; i < shape.rank(); ++i)
    if (shape.extents[i].batch)
      return rules::problem(name, "the mini-batch can only be the first axis");
  bool const bytes = type == DataType::u8 && distribution == Distribution::bernoulli;
  if (!is_floating(type) && !bytes)
    return rules::problem(name, "gives floating-point numbers, or bytes that are 0 or `second`");
  if (bytes && (!(second >= 0 && second <= 255) || second != std::floor(second)))
    return rules::problem(name, "the value is not that of a byte");
  if (!std::isfinite(first) || !std::isfinite(second))
    return rules::problem(name, "parameters are not finite");
  if (distribution == Distribution::bernoulli && !(first >= 0 && first <= 1))
    return rules::problem(name, "the probability is not in [0, 1]");
  return TensorTypes{{type, shape}};
}

Loops random::loops(Signature const& signature) const {
  rules::LoopsBuilder loops(signature);
  // A number follows from its sample and its place in it: those of a part are told by `begin`.
  loops.add(LoopKind::parallel, 0, shape.rank(), {}, {0});
  return std::move(loops).finish();
}

// Random numbers depend on nothing that has a gradient.
void random::backward(random const&, BackwardContext&) {}

std::int64_t random::flops(Signature const&, std::int64_t samples) const {
  // Uniform: scaled, moved, kept below the end. Normal: a quantile, scaled, moved. Bernoulli:
  // compared.
  auto const each = distribution == Distribution::bernoulli                      ? 1
                    : distribution == Distribution::uniform && !(first < second) ? 2
                                                                                 : 3;
  return rules::times(each, shape.elements(samples));
}

std::int64_t random::scratch_bytes(Signature const&, std::int64_t, std::int64_t) const { return 0; }

}  // namespace lbann::operators
