// How a reduction is cut into pieces of work. It depends on the shape alone, never on the number of
// threads, and so do the sums.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>

#include "kernels/shapes/division.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::kernels {

/// The iteration space as [z, a, b, c, d] in C order: a and c are kept, z, b and d reduced; output
/// element (a, c). z and b are walked as one. Every output is the sum over `b_blocks` x `d_blocks`
/// partial results.
struct ReduceLayout {
  std::int64_t z = 1, a = 1, b = 1, c = 1, d = 1;
  std::int64_t b_block = 1, b_blocks = 1;  ///< rows of z x b in one piece, number of pieces
  std::int64_t c_block = 1, c_blocks = 1;
  std::int64_t d_block = 1, d_blocks = 1;

  constexpr std::int64_t reduced_rows() const { return z * b; }
  constexpr std::int64_t outputs() const { return a * c; }
  constexpr std::int64_t partials() const { return b_blocks * d_blocks; }
  constexpr std::int64_t elements() const { return z * a * b * c * d; }
};

/// Most partial results of one output, see `most_partials`.
inline constexpr std::int64_t max_partials = 256;

/// Those of all outputs together that are kept beside one for each, see `most_partials`.
inline constexpr std::int64_t max_partial_results = 32 * 512;

/// How finely a reduction is cut.
struct ReduceGrain {
  std::int64_t outputs;         ///< that a piece accumulates at once, at most
  std::int64_t pieces;          ///< that are enough to keep everything busy
  std::int64_t piece_elements;  ///< worth a piece
  std::int64_t row_elements;    ///< of c x d, side by side, worth a piece
  /// Blocks of rows that each output is cut into in any case, where there is so much: threads then
  /// reduce the samples that they have computed.
  std::int64_t row_blocks;
};

/// Of a device: the lanes of a block for each output, as many pieces as a GPU has blocks in flight.
inline constexpr ReduceGrain device_grain{1, 1024, 4096, 4096, 1};
/// Of a CPU: as many outputs at once as fit the first-level cache, pieces for all threads.
inline constexpr ReduceGrain host_grain{512, 32, 4096, 2048, 8};

/// Nothing if kept and reduced axes alternate more often than [z, a, b, c, d] can say. A piece
/// accumulates `results` numbers for each output.
std::optional<ReduceLayout> reduce_layout(std::span<std::int64_t const> shape,
                                          std::span<std::int64_t const> axes,
                                          ReduceGrain const& grain, std::int64_t results = 1);

/// What one piece covers: rows [b_begin, b_end) of z x b, `c_count` outputs from c_begin on, and
/// [d_begin, d_end) of d.
struct ReducePiece {
  std::int64_t a, b_begin, b_end, c_begin, d_begin, d_end;
  std::int64_t partial;  ///< number of the partial result
  int c_count;

  constexpr std::int64_t elements() const { return (b_end - b_begin) * (d_end - d_begin); }

  /// The first element of row `b`.
  LBANN_FUNCTION std::int64_t row(ReduceLayout const& layout, std::int64_t b) const {
    auto const [z, inner] = divide(b, layout.b);
    return (((z * layout.a + a) * layout.b + inner) * layout.c + c_begin) * layout.d;
  }
};

/// Pieces of a reduction, for `piece_of`.
constexpr std::int64_t pieces_of(ReduceLayout const& layout) {
  return layout.a * layout.b_blocks * layout.c_blocks * layout.d_blocks;
}

/// Elements of a piece, at most.
constexpr std::int64_t most_elements_of_piece(ReduceLayout const& layout) {
  return std::min(layout.b_block, layout.reduced_rows()) * std::min(layout.d_block, layout.d);
}

/// Of a layout that has pieces, those of the first rows first where they lie before all others.
LBANN_FUNCTION ReducePiece piece_of(ReduceLayout const& layout, std::int64_t index) {
  auto const [of_d, d_index] = divide(index, layout.d_blocks);
  auto const kept = layout.a * layout.c_blocks;
  bool const rows_first = layout.a == 1 || layout.z > 1;
  auto const [outer, inner] = divide(of_d, rows_first ? kept : layout.b_blocks);
  auto const rest = rows_first ? inner : outer, b_index = rows_first ? outer : inner;
  auto const end_of = [](std::int64_t begin, std::int64_t step, std::int64_t end) {
    return begin + step < end ? begin + step : end;
  };
  ReducePiece piece{};
  auto const [a, c_index] = divide(rest, layout.c_blocks);
  piece.a = a;
  piece.c_begin = c_index * layout.c_block;
  piece.c_count = static_cast<int>(end_of(piece.c_begin, layout.c_block, layout.c) - piece.c_begin);
  piece.b_begin = b_index * layout.b_block;
  piece.b_end = end_of(piece.b_begin, layout.b_block, layout.reduced_rows());
  piece.d_begin = d_index * layout.d_block;
  piece.d_end = end_of(piece.d_begin, layout.d_block, layout.d);
  piece.partial = b_index * layout.d_blocks + d_index;
  return piece;
}

/// Elements that partial result number `partial` of an output is made of.
LBANN_FUNCTION std::int64_t elements_of_partial(ReduceLayout const& layout, std::int64_t partial) {
  auto const [b_index, d_index] = divide(partial, layout.d_blocks);
  auto const part = [](std::int64_t index, std::int64_t step, std::int64_t end) {
    auto const rest = end - index * step;
    return rest < step ? rest : step;
  };
  return part(b_index, layout.b_block, layout.reduced_rows()) *
         part(d_index, layout.d_block, layout.d);
}

}  // namespace lbann::kernels
