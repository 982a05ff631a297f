// Where the entries of a part of a tensor lie in the samples of the whole tensor.
#pragma once

#include "kernels/kernel.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::kernels {

/// An output of a call as lines: runs of entries that are neighbours in a whole sample. A
/// tensor without mini-batch is one sample.
struct SampleLines {
  std::int64_t length = 1;        ///< entries of a line
  std::int64_t lines = 1;         ///< of a sample
  std::int64_t count = 1;         ///< of all this rank's samples
  std::int64_t first_sample = 0;  ///< of this rank in the mini-batch

  /// Sample of this rank that a line belongs to.
  LBANN_FUNCTION std::int64_t sample(std::int64_t line) const { return line / lines; }
  /// Number of its first entry in the whole sample.
  LBANN_FUNCTION std::int64_t start(std::int64_t line) const {
    std::int64_t at = base_, rest = line % lines;
    for (int d = outer_ - 1; d >= 0; --d) {
      at += rest % extents_[d] * strides_[d];
      rest /= extents_[d];
    }
    return at;
  }

  std::int64_t base_ = 0;
  int outer_ = 0;  ///< dimensions across lines
  std::int64_t extents_[max_rank] = {}, strides_[max_rank] = {};
};

/// `y` begins at `start` of a tensor of extents `of`, as Call says it.
inline SampleLines sample_lines(View const& y, std::array<std::int64_t, max_rank> const& start,
                                std::array<std::int64_t, max_rank> const& of, bool has_batch) {
  std::size_t const first = has_batch ? 1 : 0;
  std::array<std::int64_t, max_rank> whole{};
  for (auto d = first; d < y.rank; ++d) whole[d] = of[d] > 0 ? of[d] : y.extents[d];
  SampleLines result;
  // Dimensions behind one that is whole belong to the same line.
  std::size_t inner = y.rank;
  while (inner > first) {
    --inner;
    result.length *= y.extents[inner];
    if (y.extents[inner] != whole[inner]) break;
  }
  std::int64_t stride = 1;
  for (auto d = std::size_t{y.rank}; d-- > first; stride *= whole[d]) {
    result.base_ += start[d] * stride;
    if (d >= inner) continue;
    result.lines *= y.extents[d];
    // In order of the dimensions, the last across lines fastest.
    result.extents_[d - first] = y.extents[d];
    result.strides_[d - first] = stride;
  }
  result.outer_ = static_cast<int>(inner - first);
  result.first_sample = has_batch ? start[0] : 0;
  result.count = has_batch ? y.extents[0] * result.lines : result.lines;
  return result;
}

}  // namespace lbann::kernels
