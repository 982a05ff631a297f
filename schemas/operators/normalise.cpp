// Rules of normalise.
#include "schemas/operators/normalise.hpp"

#include "schemas/operators/formulas.hpp"
#include "schemas/operators/list.hpp"
#include "schemas/operators/loops.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<normalise>) {
  return "x [rows..., columns...], scale [columns...], bias [columns...] -> y of the shape of "
         "x, mean [rows...], r [rows...]\n"
         "y[i, j] = (x[i, j] - mean[i]) r[i] scale[j] + bias[j], r[i] = 1 / sqrt(variance[i] + "
         "epsilon)\n"
         "columns are the axes from `axis` on; the variance is divided by the number of columns";
}

Result<TensorTypes> normalise::infer(std::span<TensorType const> inputs) const {
  auto const count = std::size_t{1} + (scale ? 1 : 0) + (bias ? 1 : 0);
  if (auto misfit = rules::find_misfit(name, inputs, count, count)) return *misfit;
  auto const& x = inputs[0];
  auto const rows = rules::rows_from(x.shape, axis);
  if (!rows || (x.type != DataType::f32 && x.type != DataType::f64))
    return rules::problem(name, "takes rows of f32 or f64 numbers, not " + to_text(x.shape));
  if (!(epsilon >= 0)) return rules::problem(name, "epsilon is negative");
  for (auto const& affine : inputs.subspan(1))
    if (affine != TensorType{x.type, rows->row})
      return rules::problem(name, "scale and bias are not of a row's shape and type");
  return TensorTypes{x, {x.type, rows->outer}, {x.type, rows->outer}};
}

Loops normalise::loops(Signature const& signature) const {
  rules::LoopsBuilder loops(signature);
  loops.add(LoopKind::parallel, 0, static_cast<std::size_t>(axis), {0}, {0, 1, 2});  // rows
  return std::move(loops).finish();
}

void normalise::backward(normalise const& op, BackwardContext& context) {
  auto const gradient = context.output_gradient(0);
  if (!gradient.valid()) return;
  std::vector<TensorId> inputs = {context.input(0), context.output(1), context.output(2), gradient};
  if (op.scale) inputs.push_back(context.input(1));
  auto const results = context.emit(normalise_gradient{op.axis, op.scale, op.bias}, inputs);
  for (std::size_t i = 0; i < results.size(); ++i) context.contribute(i, results[i]);
}

std::int64_t normalise::flops(Signature const& signature, std::int64_t samples) const {
  // Sum; difference, square, sum; difference, product; scaling, addition. Two quotients, a sum, a
  // square root and another quotient for each row.
  auto const each = 6 + (scale ? 1 : 0) + (bias ? 1 : 0);
  return rules::plus(rules::times(each, signature.inputs[0].shape.elements(samples)),
                     rules::times(5, signature.outputs[1].shape.elements(samples)));
}

std::int64_t normalise::scratch_bytes(Signature const&, std::int64_t, std::int64_t) const {
  return 0;
}

}  // namespace lbann::operators
