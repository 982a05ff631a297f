// Rules of batched_matmul.
#include "schemas/operators/batched_matmul.hpp"

#include <algorithm>

#include "schemas/operators/formulas.hpp"
#include "schemas/operators/loops.hpp"
#include "schemas/operators/rules.hpp"
#include "schemas/operators/sixteen_bit_tiling.hpp"
#include "schemas/operators/widened_factors.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<batched_matmul>) {
  return "a [d..., m, k], b [d..., k, n], further operands of the epilogue -> y [d..., m, n]\n"
         "y[d, i, j] = epilogue(sum over l: a[d, i, l] b[d, l, j], ...); transposed where the "
         "fields say so";
}

namespace {

/// The last two extents of a factor, as the product reads them.
std::pair<Extent, Extent> matrix_of(Shape const& shape, bool transposed) {
  auto const first = shape.extents[shape.rank() - 2], second = shape.extents[shape.rank() - 1];
  return transposed ? std::pair{second, first} : std::pair{first, second};
}

}  // namespace

Result<TensorTypes> batched_matmul::infer(std::span<TensorType const> inputs) const {
  if (auto misfit = rules::find_misfit(name, inputs, 2, max_operands + 1)) return *misfit;
  auto const &a = inputs[0], &b = inputs[1];
  auto const rank = a.shape.rank();
  if (rank < 3 || b.shape.rank() != rank ||
      !std::equal(a.shape.extents.begin(), a.shape.extents.end() - 2, b.shape.extents.begin()))
    return rules::problem(name, "multiplies matrices along equal leading axes, not " +
                                    to_text(a.shape) + " and " + to_text(b.shape));
  if (a.type != b.type || !is_floating(a.type))
    return rules::problem(name, "the factors are not of one floating-point type");
  auto const [m, k] = matrix_of(a.shape, transpose_a);
  auto const [k_of_b, p] = matrix_of(b.shape, transpose_b);
  if (m.batch || k.batch || p.batch || k_of_b.batch)
    return rules::problem(name, "the mini-batch can only be a leading axis");
  if (k != k_of_b)
    return rules::problem(
        name, "inner extents of " + to_text(a.shape) + " and " + to_text(b.shape) + " differ");
  TensorType product{compute_type_of(a.type), a.shape};
  product.shape.extents[rank - 2] = m;
  product.shape.extents[rank - 1] = p;
  if (!rules::sound(product.shape)) return rules::problem(name, "the result is too large");
  return rules::infer_epilogue(name, epilogue, types, product, inputs.subspan(2));
}

Loops batched_matmul::loops(Signature const& signature) const {
  using rules::input, rules::output;
  auto const& product = signature.outputs[0].shape;
  auto const row = product.rank() - 2, column = row + 1;
  rules::LoopsBuilder loops(signature);
  loops.add(LoopKind::parallel, 0, row, {0, 1}, {});
  loops.add(LoopKind::parallel, {input(0, transpose_a ? column : row), output(0, row)});     // m
  loops.add(LoopKind::parallel, {input(1, transpose_b ? row : column), output(0, column)});  // p
  loops.add(LoopKind::summed,
            {input(0, transpose_a ? row : column), input(1, transpose_b ? column : row)});  // k
  loops.broadcast(2, product);
  loops.fill(product);
  return std::move(loops).finish();
}

void batched_matmul::backward(batched_matmul const& op, BackwardContext& context) {
  // Epilogues come to be only after gradients have been derived.
  if (!context.output_gradient(0).valid() || !op.epilogue.empty()) return;
  auto const a = context.input(0), b = context.input(1);
  auto const gradient = context.in_type(context.output_gradient(0), context.type_of(a).type);
  auto multiply = [&](std::size_t index, TensorId x, bool transpose_x, TensorId y,
                      bool transpose_y) {
    if (context.wants(index))
      context.contribute(index,
                         context.emit(batched_matmul{transpose_x, transpose_y, {}, {}}, {x, y})[0]);
  };
  // da = dc b^T, db = a^T dc, each as the factor is stored.
  if (op.transpose_a)
    multiply(0, b, op.transpose_b, gradient, true);
  else
    multiply(0, gradient, false, b, !op.transpose_b);
  if (op.transpose_b)
    multiply(1, gradient, true, a, op.transpose_a);
  else
    multiply(1, a, !op.transpose_a, gradient, false);
}

std::int64_t batched_matmul::flops(Signature const& signature, std::int64_t samples) const {
  // 2 k for each element of the products, and the epilogue's functions.
  auto const inner = matrix_of(signature.inputs[0].shape, transpose_a).second.size;
  return rules::times(signature.outputs[0].shape.elements(samples),
                      rules::plus(rules::times(2, inner), rules::functions_in(epilogue)));
}

std::int64_t batched_matmul::scratch_bytes(Signature const& signature, std::int64_t samples,
                                           std::int64_t threads) const {
  // For each thread a pair of matrices in the order of register tiles, up to 128 rows,
  // 384 columns and 192 of the inner extent at a time, and a tile of the product. On a device the
  // products before their epilogue.
  auto const [m, k] = matrix_of(signature.inputs[0].shape, transpose_a);
  auto const p = matrix_of(signature.inputs[1].shape, transpose_b).second.size;
  if (widens_factors(signature.inputs[0].type))
    return widened_scratch_bytes(*this, signature, samples, threads);
  if (is_sixteen_bit(signature.inputs[0].type)) {
    auto const elements = signature.outputs[0].shape.elements(samples);
    auto const host = sixteen_bit_bytes_apart(elements, m.size, k.size, p, threads);
    return std::max(host, epilogue.empty() ? 0 : rules::times(elements, 4));
  }
  auto const element =
      static_cast<std::int64_t>(lbann::bytes_of(compute_type_of(signature.inputs[0].type)));
  auto const rows = std::min<std::int64_t>(m.size + 8, 128);
  auto const columns = std::min<std::int64_t>(p + 64, 384);
  auto const inner = std::min<std::int64_t>(k.size, 192);
  auto const slot = (rows + columns) * std::max<std::int64_t>(inner, 1) + rows * columns;
  auto const elements = signature.outputs[0].shape.elements(samples);
  // There are no more tiles of the products than elements.
  auto const host = rules::times(std::min(threads, elements), slot);
  return rules::times(epilogue.empty() ? host : std::max(host, elements), element);
}

}  // namespace lbann::operators
