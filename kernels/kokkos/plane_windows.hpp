// Windows over single channels on a CPU: what registers of neighbouring positions see through a
// tap.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/kokkos/vector.hpp"
#include "kernels/kokkos/window_geometry.hpp"

namespace lbann::kernels::kokkos {

/// A plane is a channel of a sample. It is copied with its margins, columns as many apart as
/// windows are as neighbours, so that what some neighbouring positions see through a tap lies side
/// by side whatever the stride: with tap t of `taps()`, those of block b see plane[b.seen + t] and
/// what follows it.
template <class T>
class PlaneWindows {
 public:
  /// A register of positions of one row; the last one of a row may have fewer.
  struct Block {
    std::int32_t seen;    ///< where the first position's window begins in the plane
    std::int32_t result;  ///< place of the first position
  };

  /// Positions see entries, or with `gradient` entries see the positions whose windows they are in.
  PlaneWindows(WindowGeometry const& geometry, bool gradient);

  /// Whether places of a plane can be counted.
  static bool suits(WindowGeometry const& geometry);

  std::int64_t elements() const { return elements_; }  ///< of a plane with its margins
  std::int64_t sources() const { return sources_; }    ///< of a plane as it is given
  std::int64_t results() const { return results_; }
  std::int64_t row_blocks() const { return row_blocks_; }  ///< blocks of a row
  std::int64_t last_lanes() const { return last_lanes_; }  ///< positions of the last of them
  std::vector<std::int32_t> const& taps() const { return taps_; }  ///< in C order
  std::vector<Block> const& blocks() const { return blocks_; }     ///< by places of results

  /// Writes what lies in no margin.
  void lay_out(T const* from, T* plane) const;

  /// results[p] = sum over taps of weights[tap] * what p sees through it, taps in their order; up
  /// to a register is written past the last.
  void correlate(T const* plane, T const* weights, T* results) const;

 private:
  /// Entry i lies at margin + i * spread, position p begins at p * step, of `extent`.
  struct Axis {
    std::int64_t from = 1, to = 1, margin = 0, spread = 1, step = 1, extent = 1;
    std::vector<std::int64_t> offsets = {0};  ///< of taps
  };
  static Axis forward(WindowAxis const& axis);
  static Axis backward(WindowAxis const& axis);
  std::int64_t column(std::int64_t place) const;
  template <int count>
  void correlate_blocks(Block const* blocks, T const* plane, T const* weights, T* results) const;

  Axis axes_[3];
  std::int64_t neighbours_ = 1, pitch_ = 1;  ///< columns of one remainder modulo the step, of a row
  std::int64_t elements_ = 0, sources_ = 0, results_ = 0;
  std::int64_t row_blocks_ = 0, last_lanes_ = 0;
  std::vector<std::int32_t> taps_;
  std::vector<Block> blocks_;
};

}  // namespace lbann::kernels::kokkos
