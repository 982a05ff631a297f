// Rules of matmul.
#include "schemas/operators/matmul.hpp"

#include <algorithm>

#include "schemas/operators/formulas.hpp"
#include "schemas/operators/loops.hpp"
#include "schemas/operators/rules.hpp"
#include "schemas/operators/sixteen_bit_tiling.hpp"
#include "schemas/operators/widened_factors.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<matmul>) {
  return "a [m, k], b [k, n], further operands of the epilogue -> y [m, n]\n"
         "y[i, j] = epilogue(sum over l: a[i, l] b[l, j], ...); transposed where the fields say "
         "so";
}

Result<TensorTypes> matmul::infer(std::span<TensorType const> inputs) const {
  if (auto misfit = rules::find_misfit(name, inputs, 2, max_operands + 1)) return *misfit;
  auto const &a = inputs[0], &b = inputs[1];
  if (a.shape.rank() != 2 || b.shape.rank() != 2)
    return rules::problem(
        name, "multiplies matrices, not " + to_text(a.shape) + " and " + to_text(b.shape));
  if (a.type != b.type || !is_floating(a.type))
    return rules::problem(name, "the factors are not of one floating-point type");
  auto const [m, k] =
      std::pair{a.shape.extents[transpose_a ? 1 : 0], a.shape.extents[transpose_a ? 0 : 1]};
  auto const [k_of_b, n] =
      std::pair{b.shape.extents[transpose_b ? 1 : 0], b.shape.extents[transpose_b ? 0 : 1]};
  if (k != k_of_b)
    return rules::problem(
        name, "inner extents of " + to_text(a.shape) + " and " + to_text(b.shape) + " differ");
  TensorType const product{compute_type_of(a.type), Shape{m, n}};
  if (!rules::sound(product.shape)) return rules::problem(name, "the result is too large");
  return rules::infer_epilogue(name, epilogue, types, product, inputs.subspan(2));
}

Loops matmul::loops(Signature const& signature) const {
  using rules::input, rules::output;
  rules::LoopsBuilder loops(signature);
  loops.add(LoopKind::parallel, {input(0, transpose_a ? 1 : 0), output(0, 0)});                 // m
  loops.add(LoopKind::parallel, {input(1, transpose_b ? 0 : 1), output(0, 1)});                 // n
  loops.add(LoopKind::summed, {input(0, transpose_a ? 0 : 1), input(1, transpose_b ? 1 : 0)});  // k
  loops.broadcast(2, signature.outputs[0].shape);
  loops.fill(signature.outputs[0].shape);
  return std::move(loops).finish();
}

void matmul::backward(matmul const& op, BackwardContext& context) {
  // Epilogues come to be only after gradients have been derived.
  if (!context.output_gradient(0).valid() || !op.epilogue.empty()) return;
  auto const a = context.input(0), b = context.input(1);
  auto const gradient = context.in_type(context.output_gradient(0), context.type_of(a).type);
  auto multiply = [&](std::size_t index, TensorId x, bool transpose_x, TensorId y,
                      bool transpose_y) {
    matmul rule;
    rule.transpose_a = transpose_x;
    rule.transpose_b = transpose_y;
    context.contribute(index, context.emit(std::move(rule), {x, y})[0]);
  };
  // da = dc b^T, db = a^T dc, each as the factor is stored.
  auto const first = [&] {
    if (!context.wants(0)) return;
    if (op.transpose_a)
      multiply(0, b, op.transpose_b, gradient, true);
    else
      multiply(0, gradient, false, b, !op.transpose_b);
  };
  auto const second = [&] {
    if (!context.wants(1)) return;
    if (op.transpose_b)
      multiply(1, gradient, true, a, op.transpose_a);
    else
      multiply(1, a, !op.transpose_a, gradient, false);
  };
  // Data first: the gradient of weights is then the last reader of their old values, so that their
  // update may become its epilogue.
  if (context.type_of(b).shape.has_batch() && !context.type_of(a).shape.has_batch())
    second(), first();
  else
    first(), second();
}

std::int64_t matmul::flops(Signature const& signature, std::int64_t samples) const {
  // 2 m n k, and the epilogue's functions for each of m n elements.
  auto const inner = signature.inputs[0].shape.extents[transpose_a ? 0 : 1].at(samples);
  return rules::times(signature.outputs[0].shape.elements(samples),
                      rules::times(2, inner) + rules::functions_in(epilogue));
}

std::int64_t matmul::scratch_bytes(Signature const& signature, std::int64_t samples,
                                   std::int64_t threads) const {
  // a in the order of register tiles, a million elements at a time or 128 rows. For each thread
  // columns of b, at most 384: 192 of their rows, or all if that is no more than 393,216 elements;
  // a block of 128 x 192 of a; a tile of the product. Or with an epilogue 262,144 elements of b and
  // 8 rows of the product. Of up to 128 rows, tiles of 128 columns of the product and 8 more. Where
  // a product is summed in halves, one of them: of rows no more than a quarter of the inner extent.
  auto const& product = signature.outputs[0].shape;
  auto const rows = product.extents[0].at(samples), columns = product.extents[1].at(samples);
  auto const inner = signature.inputs[0].shape.extents[transpose_a ? 0 : 1].at(samples);
  if (widens_factors(signature.inputs[0].type))
    return widened_scratch_bytes(*this, signature, samples, threads);
  if (is_sixteen_bit(signature.inputs[0].type)) {
    auto const host = sixteen_bit_bytes(rows, inner, columns, threads);
    auto const panel =
        std::min(rules::times(rows, columns), std::max(columns, std::int64_t{1} << 22));
    return std::max(host, epilogue.empty() ? 0 : rules::times(panel, 4));
  }
  auto const element =
      static_cast<std::int64_t>(lbann::bytes_of(compute_type_of(signature.inputs[0].type)));
  auto const packed = std::min(rules::times(rows + 128, inner),
                               std::max(std::int64_t{1} << 20, rules::times(inner, 128)));
  auto const width = std::min<std::int64_t>(columns + 64, 384);
  auto const height = std::min<std::int64_t>(rows + 8, 128);
  auto const depth = std::min<std::int64_t>(inner + 8, 192);
  auto const whole_depth = inner + inner / 24 + 16;  // whole blocks
  std::int64_t const kept = 3 << 17;
  auto const kept_width = std::min(width, kept / std::max<std::int64_t>(inner, 1) + 48);
  auto const work = rules::times(rules::times(rows, columns), inner) / 300'000;
  bool const several_tasks = rows > 128 || work > 0;
  auto const slot =
      width * (depth + height) + 64 +
      (several_tasks
           ? std::max(kept_width * whole_depth - width * depth, std::int64_t{0}) + height * depth
           : 0);
  auto const wide = std::min(columns, (1 << 18) / std::max<std::int64_t>(inner, 1)) + 64;
  auto const row_slot =
      epilogue.empty() || inner > 192 ? 0 : rules::times(wide, inner + 16) + 8 * (inner + 8) + 64;
  auto const few = std::min<std::int64_t>(columns + 16, 128);
  auto const few_slot = rows > 128 ? 0 : (few + 8) * (rows + 16) + few * rows + 64;
  auto const half = transpose_b || inner < 384 || rules::times(inner, columns) <= (1 << 17)
                        ? 0
                        : rules::times(std::min(rows, inner / 4), columns);
  auto const tiles =
      rules::times(rules::times(rows / 128 + 1, columns / 384 + 1), half > 0 ? 2 : 1);
  auto const tasks =
      std::min(threads, std::max(tiles, std::min(work, std::max<std::int64_t>(threads, 32)) + 2));
  auto const host = rules::times(
      packed + 64 + half +
          std::max({tasks * slot, rules::times(std::min(threads, rows / 8 + 1), row_slot),
                    std::min(threads, columns / 16 + 1) * few_slot}),
      element);
  if (epilogue.empty()) return host;
  // On a device the product itself, panel by panel.
  auto const panel = std::max(columns, std::int64_t{1} << 22);
  return std::max(host, rules::times(std::min(rules::times(rows, columns), panel), element));
}

}  // namespace lbann::operators
