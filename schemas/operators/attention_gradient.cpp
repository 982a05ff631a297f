// Rules of attention_gradient.
#include "schemas/operators/attention_gradient.hpp"

#include "schemas/operators/attention_extents.hpp"
#include "schemas/operators/formulas.hpp"
#include "schemas/operators/loops.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<attention_gradient>) {
  return "dy [batch, l, heads e], q [batch, l, heads d], k [batch, s, heads d], v [batch, s, heads "
         "e], y, lse of `attention`,\n"
         "mask, broadcast to [batch, heads, l, s], or none\n"
         "  -> dq, dk, dv of the shapes of q, k, v\n"
         "for each head on its columns, i over the queries that see j, j over the keys that i "
         "sees:\n"
         "  w[i, j] = exp(scale (q[i] . k[j]) + mask[i, j] - lse[i])\n"
         "  du[i, j] = scale w[i, j] (dy[i] . v[j] - dy[i] . y[i])\n"
         "  dq[i] = sum over j: du[i, j] k[j], dk[j] = sum over i: du[i, j] q[i],\n"
         "  dv[j] = sum over i: w[i, j] dy[i]";
}

Result<TensorTypes> attention_gradient::infer(std::span<TensorType const> inputs) const {
  if (auto misfit = rules::find_misfit(name, inputs, 6, 7)) return *misfit;
  auto const &q = inputs[1], &k = inputs[2], &v = inputs[3];
  if (auto misfit =
          inputs.size() == 7 ? find_misfit(name, q, k, v, inputs[6]) : find_misfit(name, q, k, v))
    return *misfit;
  auto const batch = q.shape.extents[0], queries = q.shape.extents[1];
  Extent const heads{q.shape.extents[2].size / head_size};
  TensorType const y{q.type, Shape{batch, queries, v.shape.extents[2]}};
  TensorType const lse{q.type, Shape{batch, heads, queries}};
  if (inputs[0] != y || inputs[4] != y || inputs[5] != lse)
    return rules::problem(name, "a gradient " + to_text(inputs[0].shape) + ", results " +
                                    to_text(inputs[4].shape) + " and sums " +
                                    to_text(inputs[5].shape) + " do not fit queries " +
                                    to_text(q.shape) + " and values " + to_text(v.shape));
  return TensorTypes{q, k, v};
}

Loops attention_gradient::loops(Signature const& signature) const {
  using rules::input, rules::output;
  auto const heads = signature.inputs[5].shape.extents[1];
  rules::LoopsBuilder loops(signature);
  loops.add(LoopKind::parallel, 0, 1, {0, 1, 2, 3, 4, 5}, {0, 1, 2});  // samples
  loops.add(LoopKind::parallel, heads,
            {input(0, 2), input(1, 2), input(2, 2), input(3, 2), input(4, 2), input(5, 1),
             output(0, 2), output(1, 2), output(2, 2)});
  // What a query sees is told by its place among all.
  auto const kind = causal ? LoopKind::whole : LoopKind::summed;
  loops.add(kind, {input(0, 1), input(1, 1), input(4, 1), input(5, 2), output(0, 1)});  // queries
  loops.add(kind, {input(2, 1), input(3, 1), output(1, 1), output(2, 1)});              // keys
  loops.broadcast(6, pairs(signature.inputs[1].shape, signature.inputs[2].shape));
  return std::move(loops).finish();
}

// Second derivatives are not asked for by any layer.
void attention_gradient::backward(attention_gradient const&, BackwardContext&) {}

std::int64_t attention_gradient::flops(Signature const& signature, std::int64_t samples) const {
  // For each pair its score and what a mask adds, difference, exponential, the gradient of its
  // weight, the difference, two products, and rows of queries, keys and values; for each query a
  // product of rows.
  auto const& inputs = signature.inputs;
  AttentionExtents const extents(*this, inputs[1].shape, inputs[2].shape, inputs[3].shape);
  std::int64_t const masked = inputs.size() == 7;
  auto const of_pair = rules::plus(rules::times(6, extents.head_size),
                                   rules::plus(rules::times(4, extents.value_size), 6 + masked));
  return rules::times(
      inputs[5].shape.extents[0].at(samples),
      rules::times(extents.heads, rules::plus(rules::times(extents.pairs(causal), of_pair),
                                              rules::times(extents.queries,
                                                           rules::times(2, extents.value_size)))));
}

std::int64_t attention_gradient::scratch_bytes(Signature const& signature, std::int64_t samples,
                                               std::int64_t threads) const {
  // For each thread up to 192 keys and values of a head in the order of register tiles, as they are
  // and transposed, up to 64 queries and gradients, and their weights and gradients of scores; on a
  // device those of some queries.
  auto const& inputs = signature.inputs;
  AttentionExtents const extents(*this, inputs[1].shape, inputs[2].shape, inputs[3].shape);
  auto const element = static_cast<std::int64_t>(lbann::bytes_of(inputs[1].type));
  auto const keys = std::min<std::int64_t>(extents.keys, 192) + 64;
  auto const queries = std::min<std::int64_t>(extents.queries, 64);
  auto const size = rules::plus(extents.head_size, extents.value_size) + 128;
  auto const slot = rules::plus(rules::times(rules::times(2, keys) + queries, size),
                                rules::times(2 * queries, keys + 1));
  auto const tasks = rules::times(inputs[5].shape.extents[0].at(samples), extents.heads);
  auto const rows = inputs[5].shape.elements(samples);
  auto const host = rules::times(std::min(threads, tasks), slot);
  auto const device =
      rules::times(rules::times(2, std::min(rows, attention_rows_at_a_time)), extents.keys);
  return rules::times(std::max(host, device), element);
}

}  // namespace lbann::operators
