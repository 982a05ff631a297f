// Rows of positions, clipped to the entries that a tap sees of them.
#include "kernels/host/sixteen_bit/seen_pieces.hpp"

#include <algorithm>

#include "kernels/shapes/division.hpp"

namespace lbann::kernels::host::sixteen_bit {

SeenPieces::SeenPieces(CorrelationPass const& pass, std::int64_t sample_step, std::int64_t column,
                       std::int64_t count)
    : pass_(pass) {
  auto const& [planes, rows, columns] = pass.axes;
  auto const row = divide(column, columns.to), plane = divide(row.quotient, rows.to);
  auto const sample = divide(plane.quotient, planes.to);
  auto n = sample.quotient, z = sample.remainder, y = plane.remainder, x = row.remainder;
  for (int first = 0; first < count;) {
    auto const some = static_cast<int>(std::min(columns.to - x, count - first));
    segment_[segments_++] = {
        n * sample_step, z * planes.stride, y * rows.stride, x * columns.stride, first, some};
    first += some;
    x = 0;
    if (++y < rows.to) continue;
    y = 0;
    if (++z < planes.to) continue;
    z = 0;
    ++n;
  }
}

int SeenPieces::list(std::int64_t tap, SeenPiece* pieces) const {
  auto const& [planes, rows, columns] = pass_.axes;
  auto const shift = [&](std::int64_t& number, SourceAxis const& axis) {
    auto const [quotient, remainder] =
        divide(number, static_cast<std::int64_t>(axis.shifts.size()));
    number = quotient;
    return axis.shifts[static_cast<std::size_t>(remainder)];
  };
  auto const x = shift(tap, columns), y = shift(tap, rows), z = shift(tap, planes);
  auto const step = columns.stride;
  int count = 0;
  std::int64_t offset = 0;
  std::uint32_t bits = 0;
  auto const add = [&] {
    if (bits != 0) pieces[count++] = {offset, {bits, step}};
  };
  for (auto const& segment : std::span(segment_, static_cast<std::size_t>(segments_))) {
    auto const i = segment.plane + z, j = segment.row + y, k = segment.column + x;
    if (i < 0 || i >= planes.from || j < 0 || j >= rows.from || k >= columns.from) continue;
    // Positions [first, last) of the segment see entries.
    auto const first = k < 0 ? ceil_divide(-k, step) : 0;
    auto const inside = step == 1 ? columns.from - k : (columns.from - 1 - k) / step + 1;
    auto const last = std::min<std::int64_t>(segment.count, inside);
    if (first >= last) continue;
    auto const lanes = ((std::uint64_t{1} << (last - first)) - 1) << (segment.first + first);
    // Rows that the taps see whole follow one another: one piece.
    auto const here =
        segment.sample + (i * rows.from + j) * columns.from + k - segment.first * step;
    if (here != offset) {
      add();
      offset = here;
      bits = 0;
    }
    bits |= static_cast<std::uint32_t>(lanes);
  }
  add();
  return count;
}

}  // namespace lbann::kernels::host::sixteen_bit
