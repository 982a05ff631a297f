// Rules of attention.
#include "schemas/operators/attention.hpp"

#include <cmath>

#include "schemas/operators/attention_extents.hpp"
#include "schemas/operators/attention_mask.hpp"
#include "schemas/operators/formulas.hpp"
#include "schemas/operators/list.hpp"
#include "schemas/operators/loops.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<attention>) {
  return "q [batch, l, heads d], k [batch, s, heads d], v [batch, s, heads e],\n"
         "mask, broadcast to [batch, heads, l, s], or none\n"
         "  -> y [batch, l, heads e], lse [batch, heads, l]\n"
         "for each head on its columns, j over all keys or with `causal` over 0 to i:\n"
         "  u[i, j] = scale (q[i] . k[j]) + mask[i, j], lse[i] = log(sum over j: exp(u[i, j]))\n"
         "  y[i] = sum over j: exp(u[i, j] - lse[i]) v[j]";
}

std::optional<Problem> AttentionHeads::find_misfit(std::string_view op, TensorType const& q,
                                                   TensorType const& k, TensorType const& v) const {
  if (head_size < 1 || !std::isfinite(scale))
    return rules::problem(op, "head_size is less than 1, or scale is not finite");
  for (auto const* type : {&q, &k, &v})
    if (type->type != q.type || !is_floating(q.type) || type->shape.rank() != 3 ||
        type->shape.extents[1].batch || type->shape.extents[2].batch)
      return rules::problem(op,
                            "takes three tensors [batch, rows, columns] of one floating-point "
                            "type");
  auto const &queries = q.shape.extents, &keys = k.shape.extents, &values = v.shape.extents;
  auto const heads = queries[2].size / head_size;
  if (heads < 1 || queries[2].size % head_size != 0 || keys[0] != queries[0] ||
      keys[2] != queries[2] || values[0] != queries[0] || values[1] != keys[1] ||
      keys[1].size < 1 || values[2].size < 1 || values[2].size % heads != 0)
    return rules::problem(op, "heads of " + std::to_string(head_size) +
                                  " columns do not fit queries " + to_text(q.shape) + ", keys " +
                                  to_text(k.shape) + " and values " + to_text(v.shape));
  return std::nullopt;
}

std::optional<Problem> AttentionHeads::find_misfit(std::string_view op, TensorType const& q,
                                                   TensorType const& k, TensorType const& v,
                                                   TensorType const& mask) const {
  if (auto misfit = find_misfit(op, q, k, v)) return misfit;
  auto const all = pairs(q.shape, k.shape);
  if (mask.type != q.type || !rules::broadcasts_to(mask.shape, all))
    return rules::problem(op, "a mask " + to_text(mask.shape) +
                                  " is not of the type of queries, or cannot be broadcast to " +
                                  to_text(all));
  return std::nullopt;
}

Shape AttentionHeads::pairs(Shape const& q, Shape const& k) const {
  return {q.extents[0], {q.extents[2].size / head_size}, q.extents[1], k.extents[1]};
}

Result<TensorTypes> attention::infer(std::span<TensorType const> inputs) const {
  if (auto misfit = rules::find_misfit(name, inputs, 3, 4)) return *misfit;
  auto const &q = inputs[0], &k = inputs[1], &v = inputs[2];
  if (auto misfit =
          inputs.size() == 4 ? find_misfit(name, q, k, v, inputs[3]) : find_misfit(name, q, k, v))
    return *misfit;
  auto const batch = q.shape.extents[0], queries = q.shape.extents[1];
  Extent const heads{q.shape.extents[2].size / head_size};
  Shape const y{batch, queries, v.shape.extents[2]}, lse{batch, heads, queries};
  if (!rules::sound(y) || !rules::sound(lse))
    return rules::problem(name, "the result is too large");
  return TensorTypes{{q.type, y}, {q.type, lse}};
}

Loops attention::loops(Signature const& signature) const {
  using rules::input, rules::output;
  auto const heads = signature.outputs[1].shape.extents[1];
  rules::LoopsBuilder loops(signature);
  loops.add(LoopKind::parallel, 0, 1, {0, 1, 2}, {0, 1});  // samples
  loops.add(LoopKind::parallel, heads,
            {input(0, 2), input(1, 2), input(2, 2), output(0, 2), output(1, 1)});
  // What a query sees is told by its place among all.
  loops.add(causal ? LoopKind::whole : LoopKind::parallel,
            {input(0, 1), output(0, 1), output(1, 2)});
  loops.add(LoopKind::whole, {input(1, 1), input(2, 1)});  // keys
  loops.broadcast(3, pairs(signature.inputs[0].shape, signature.inputs[1].shape));
  return std::move(loops).finish();
}

void attention::backward(attention const& op, BackwardContext& context) {
  auto const gradient = context.output_gradient(0);
  // Of lse nothing is asked: no layer gives it out.
  if (!gradient.valid()) return;
  std::vector<TensorId> inputs = {gradient,         context.input(0),  context.input(1),
                                  context.input(2), context.output(0), context.output(1)};
  bool const masked = context.input_count() == 4;
  if (masked) inputs.push_back(context.input(3));
  if (context.wants(0) || context.wants(1) || context.wants(2)) {
    auto const parts =
        context.emit(attention_gradient{static_cast<AttentionHeads const&>(op)}, inputs);
    for (std::size_t i = 0; i < 3; ++i)
      if (context.wants(i)) context.contribute(i, parts[i]);
  }
  if (masked && context.wants(3)) contribute_mask_gradient(op, context);
}

std::int64_t attention::flops(Signature const& signature, std::int64_t samples) const {
  // For each pair its score and what a mask adds, the largest of a row, difference, exponential,
  // sum, and a row of values; for each query a logarithm and a sum, for each result a quotient.
  auto const& inputs = signature.inputs;
  AttentionExtents const extents(*this, inputs[0].shape, inputs[1].shape, inputs[2].shape);
  std::int64_t const masked = inputs.size() == 4;
  auto const of_pair =
      rules::plus(rules::times(2, rules::plus(extents.head_size, extents.value_size)), 5 + masked);
  return rules::times(
      signature.outputs[1].shape.extents[0].at(samples),
      rules::times(extents.heads,
                   rules::plus(rules::times(extents.pairs(causal), of_pair),
                               rules::times(extents.queries, extents.value_size + 2))));
}

std::int64_t attention::scratch_bytes(Signature const& signature, std::int64_t samples,
                                      std::int64_t threads) const {
  // For each thread keys and values of a head in the order of register tiles, and the scores of
  // eight queries; on a device the scores of some queries.
  auto const& inputs = signature.inputs;
  AttentionExtents const extents(*this, inputs[0].shape, inputs[1].shape, inputs[2].shape);
  auto const element = static_cast<std::int64_t>(lbann::bytes_of(inputs[0].type));
  auto const rows = signature.outputs[1].shape.elements(samples);
  auto const of_key = rules::plus(rules::plus(extents.head_size, extents.value_size), 64 + 8);
  auto const slot = rules::times(rules::plus(extents.keys, 64), of_key);
  auto const host = rules::times(std::min(threads, rows), slot);
  auto const device = rules::times(std::min(rows, attention_rows_at_a_time), extents.keys);
  return rules::times(std::max(host, device), element);
}

}  // namespace lbann::operators
