// What a mask of attention adds to the scores of a query.
#pragma once

#include "kernels/shapes/attention_geometry.hpp"

namespace lbann::kernels {

/// Where the rows of a mask lie, which is broadcast to [samples, heads, queries, keys], if there is
/// one.
template <class T>
struct AttentionMask {
  bool exists = false;
  T const* data = nullptr;
  std::int64_t of_sample = 0, of_head = 0, of_query = 0, of_key = 0;  ///< distances, or 0

  AttentionMask() = default;

  /// Of `inputs[index]`, if there is one.
  AttentionMask(std::span<View const> inputs, std::size_t index) {
    if (index >= inputs.size()) return;
    exists = true;
    View const& mask = inputs[index];
    data = mask.as<T const>();
    std::int64_t* const distances[] = {&of_sample, &of_head, &of_query, &of_key};
    std::int64_t elements = 1;
    for (std::size_t axis = mask.rank; axis-- > 0;) {
      auto const extent = mask.extents[axis];
      if (extent > 1) *distances[4 - mask.rank + axis] = elements;
      elements *= extent;
    }
  }

  /// Offset of the row of a query; its entries are `of_key` apart.
  LBANN_FUNCTION std::int64_t row(std::int64_t sample, std::int64_t head,
                                  std::int64_t query) const {
    return sample * of_sample + head * of_head + query * of_query;
  }

  /// Adds what the mask has for a query to its scores of `count` keys from `key` on.
  void add(T* scores, std::int64_t sample, std::int64_t head, std::int64_t query, std::int64_t key,
           std::int64_t count) const {
    if (!exists) return;
    T const* const from = data + row(sample, head, query) + key * of_key;
    if (of_key == 0) {
      T const all = *from;
#pragma omp simd
      for (std::int64_t j = 0; j < count; ++j) scores[j] += all;
    } else {
#pragma omp simd
      for (std::int64_t j = 0; j < count; ++j) scores[j] += from[j];
    }
  }
};

}  // namespace lbann::kernels
