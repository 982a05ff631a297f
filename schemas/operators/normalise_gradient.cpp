// Rules of normalise_gradient.
#include "schemas/operators/normalise_gradient.hpp"

#include "schemas/operators/formulas.hpp"
#include "schemas/operators/loops.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<normalise_gradient>) {
  return "x, mean, r, dy, scale -> dx, dscale, dbias\n"
         "dx[i, j] = r[i] (g[j] - mean over k: g[k] - u[j] mean over k: g[k] u[k]), g = dy[i] "
         "scale, u = (x[i] - mean[i]) r[i]\n"
         "dscale[j] = sum over i: dy[i, j] u[i, j], dbias[j] = sum over i: dy[i, j]";
}

Result<TensorTypes> normalise_gradient::infer(std::span<TensorType const> inputs) const {
  auto const count = std::size_t{4} + (scale ? 1 : 0);
  if (auto misfit = rules::find_misfit(name, inputs, count, count)) return *misfit;
  auto const& x = inputs[0];
  auto const rows = rules::rows_from(x.shape, axis);
  if (!rows || (x.type != DataType::f32 && x.type != DataType::f64))
    return rules::problem(name, "takes rows of f32 or f64 numbers, not " + to_text(x.shape));
  if (inputs[1] != TensorType{x.type, rows->outer} || inputs[2] != inputs[1])
    return rules::problem(name, "mean and deviation are not one number per row");
  if (inputs[3] != x)
    return rules::problem(name, "value and gradient are not of one shape and type");
  TensorType const row{x.type, rows->row};
  if (scale && inputs[4] != row)
    return rules::problem(name, "scale is not of a row's shape and type");
  TensorTypes outputs = {x};
  if (scale) outputs.push_back(row);
  if (bias) outputs.push_back(row);
  return outputs;
}

Loops normalise_gradient::loops(Signature const& signature) const {
  rules::LoopsBuilder loops(signature);
  // The gradients of scale and bias are sums over rows.
  loops.add(scale || bias ? LoopKind::summed : LoopKind::parallel, 0,
            static_cast<std::size_t>(axis), {0, 1, 2, 3}, {0});
  return std::move(loops).finish();
}

// Second derivatives are not asked for by any layer.
void normalise_gradient::backward(normalise_gradient const&, BackwardContext&) {}

std::int64_t normalise_gradient::flops(Signature const& signature, std::int64_t samples) const {
  // Normalised x: difference, product; two sums, one of a product; two differences and two products
  // for dx. Scale: a product, and a sum of products; bias: a sum. Two quotients for each row.
  auto const each = 9 + (scale ? 3 : 0) + (bias ? 1 : 0);
  return rules::plus(rules::times(each, signature.inputs[0].shape.elements(samples)),
                     rules::times(2, signature.inputs[1].shape.elements(samples)));
}

std::int64_t normalise_gradient::scratch_bytes(Signature const& signature, std::int64_t,
                                               std::int64_t) const {
  if (!scale && !bias) return 0;
  // Sums over the rows of up to 32 pieces, for scale and bias.
  return rules::times(rules::times(signature.outputs[1].shape.elements(1), 16), 32);
}

}  // namespace lbann::operators
