// What 32 neighbouring positions of a pass see.
#pragma once

#include <span>

#include "kernels/host/sixteen_bit/numbers.hpp"
#include "kernels/shapes/correlation_pass.hpp"

namespace lbann::kernels::host::sixteen_bit {

/// Some of the numbers that positions see in a channel: `offset` elements behind the first entry
/// of the channel in the first sample.
struct SeenPiece {
  std::int64_t offset;
  MaskedNumbers numbers;
};

/// Up to 32 columns of a pass, the positions of all samples one after another, in segments that
/// lie in one row of a sample.
class SeenPieces {
 public:
  SeenPieces(CorrelationPass const& pass, std::int64_t sample_step, std::int64_t column,
             std::int64_t count);

  /// A tap sees at most this many pieces.
  int most() const { return segments_; }
  /// Writes what they see through tap `tap` of the pass; how many pieces that are.
  int list(std::int64_t tap, SeenPiece* pieces) const;

 private:
  /// Positions of a row, the first at number `first` of 32.
  struct Segment {
    std::int64_t sample, plane, row, column;  ///< elements, and entries seen through a shift of 0
    int first, count;
  };

  CorrelationPass const& pass_;
  Segment segment_[Numbers::count];
  int segments_ = 0;
};

/// The numbers of all pieces; `channel` is its first entry in the first sample. What the next 32
/// positions see is prefetched.
inline Numbers load(std::span<SeenPiece const> pieces, std::uint16_t const* channel) {
  Numbers numbers;
  for (auto const& piece : pieces) {
    auto const* const from = channel + piece.offset;
    __builtin_prefetch(from + Numbers::count);
    numbers |= piece.numbers.load(from);
  }
  return numbers;
}

}  // namespace lbann::kernels::host::sixteen_bit
