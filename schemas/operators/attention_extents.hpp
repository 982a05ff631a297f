// Extents of attention, for the rules of its costs.
#pragma once

#include <algorithm>

#include "schemas/operators/attention_heads.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::operators {

/// Of queries [batch, l, heads d], keys [batch, s, heads d] and values [batch, s, heads e].
struct AttentionExtents {
  std::int64_t queries, keys;                 ///< l, s
  std::int64_t heads, head_size, value_size;  ///< heads, d, e

  /// For shapes that `find_misfit` has accepted.
  AttentionExtents(AttentionHeads const& op, Shape const& q, Shape const& k, Shape const& v)
      : queries(q.extents[1].size),
        keys(k.extents[1].size),
        heads(q.extents[2].size / op.head_size),
        head_size(op.head_size),
        value_size(heads == 0 ? 0 : v.extents[2].size / heads) {}

  /// Pairs of a query and a key that it sees, in one head of one sample.
  std::int64_t pairs(bool causal) const {
    if (!causal) return rules::times(queries, keys);
    auto const growing = std::min(queries, keys);
    return rules::plus(rules::times(growing, growing + 1) / 2,
                       rules::times(queries - growing, keys));
  }
};

}  // namespace lbann::operators
