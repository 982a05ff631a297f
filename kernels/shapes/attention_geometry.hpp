// Rows of queries, keys and values of attention, and which keys a query sees.
#pragma once

#include "kernels/kernel.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::kernels {

/// Extents of a call of attention or of its gradient, and where the rows of its heads begin.
struct AttentionGeometry {
  std::int64_t samples, queries, keys, heads;
  std::int64_t head_size, value_size;  ///< columns of one head: of queries and keys, of values
  bool causal;

  AttentionGeometry(operators::AttentionHeads const& op, View const& q, View const& k,
                    View const& v)
      : samples(q.extents[0]),
        queries(q.extents[1]),
        keys(k.extents[1]),
        heads(q.extents[2] / op.head_size),
        head_size(op.head_size),
        value_size(v.extents[2] / heads),
        causal(op.causal) {}

  /// Of q and k, of v and y: elements from one row to the next.
  LBANN_FUNCTION std::int64_t head_pitch() const { return heads * head_size; }
  LBANN_FUNCTION std::int64_t value_pitch() const { return heads * value_size; }

  /// Where row `row` of a head begins in a tensor of `rows` rows of `size` columns per head.
  LBANN_FUNCTION std::int64_t row(std::int64_t sample, std::int64_t head, std::int64_t row,
                                  std::int64_t rows, std::int64_t size) const {
    return ((sample * rows + row) * heads + head) * size;
  }

  /// Where the logarithm of a query's sum lies in lse.
  LBANN_FUNCTION std::int64_t lse(std::int64_t sample, std::int64_t head,
                                  std::int64_t query) const {
    return (sample * heads + head) * queries + query;
  }

  /// Keys that query `query` sees, from the first on.
  LBANN_FUNCTION std::int64_t seen(std::int64_t query) const {
    return causal && query + 1 < keys ? query + 1 : keys;
  }
};

}  // namespace lbann::kernels
