// Queries of all heads and samples as rows, some of them at a time.
#pragma once

#include <algorithm>

#include "kernels/shapes/attention_geometry.hpp"

namespace lbann::kernels {

/// Rows [first, first + count) of samples x heads x queries.
struct AttentionRows {
  AttentionGeometry geometry;
  std::int64_t first = 0, count = 0;

  struct Row {
    std::int64_t sample, head, query;
  };

  /// Of row `first` + index.
  LBANN_FUNCTION Row operator[](std::int64_t index) const {
    auto const row = first + index, head = row / geometry.queries;
    return {head / geometry.heads, head % geometry.heads, row % geometry.queries};
  }

  /// Rows of a part, at most.
  std::int64_t most() const {
    auto const& g = geometry;
    return std::min(g.samples * g.heads * g.queries, operators::attention_rows_at_a_time);
  }

  /// Calls f(rows) for parts of all rows that fit scratch memory, one after the other: whole heads,
  /// or queries of one head.
  template <class F>
  void for_each_part(F const& f) const {
    auto const& g = geometry;
    auto const heads = g.samples * g.heads, most = operators::attention_rows_at_a_time;
    if (g.queries == 0) return;
    auto const joined = std::max<std::int64_t>(most / g.queries, 1);
    for (std::int64_t head = 0; head < heads; head += joined) {
      auto const rows = std::min(joined, heads - head) * g.queries;
      for (std::int64_t row = 0; row < rows; row += most)
        f(AttentionRows{g, head * g.queries + row, std::min(most, rows - row)});
    }
  }
};

}  // namespace lbann::kernels
