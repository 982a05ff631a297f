// Convolutions of small images and their input gradients on a CPU: samples lie in the lanes of
// registers, kernels are read where they lie.
#pragma once

#include <vector>

#include "kernels/host/map/engine.hpp"
#include "kernels/shapes/window_geometry.hpp"

namespace lbann::kernels::host {

/// result[n, g, m, p] = sum over channels d and taps that are inside at p of
/// kernel(g, m, d, tap) * source[n, g, d, entry(p, tap)].
///
/// Images of a few entries fill neither registers nor tiles with their positions, and each element
/// of the kernel is used so seldom that packing it takes longer than the products. With blocks of
/// samples laid out as [channel][entry][sample] (CHWN) both are avoided, and taps in the padding,
/// most of them where the image is smaller than the window, are left out.
template <class T>
class ChwnCorrelation {
 public:
  static bool suits(WindowGeometry const& geometry, bool gradient);

  /// A convolution, or with `gradient` its input gradient: dx from dy.
  ChwnCorrelation(WindowGeometry const& geometry, bool gradient);

  /// Elements of scratch. With `separate` results lie there until the epilogue has run.
  std::int64_t scratch_elements(bool separate) const;

  /// If `result` is null, it stays in scratch for `epilogue`.
  void run(T const* source, T const* kernel, T* result, T* scratch,
           MapEngine const* epilogue) const;

 private:
  /// Offsets of a tap in a row of the kernel, and of the entry it falls on in a channel.
  struct Tap {
    std::int64_t kernel, entry;
  };

  std::int64_t tasks() const;
  std::int64_t slot() const;
  void list_taps();
  void lay_out(T const* source, T* to) const;
  void multiply(T const* laid_out, T const* kernel, std::int64_t task, T* sums, T* result) const;
  template <int height>
  void multiply_tile_of(T const* kernel, T const* source, std::int64_t depth, std::int64_t position,
                        T* to, std::int64_t pitch, bool add) const;
  template <int height, int vectors>
  void multiply_tile(T const* kernel, T const* source, std::int64_t depth, std::int64_t position,
                     T* to, std::int64_t pitch, bool add) const;

  WindowGeometry geometry_;
  bool gradient_ = false;
  std::int64_t rows_ = 0, depth_ = 0;           ///< result and source channels of a group
  std::int64_t row_step_ = 0, depth_step_ = 0;  ///< in the kernel, and from group to group:
  std::int64_t group_step_ = 0;
  std::int64_t source_entries_ = 0, positions_ = 0;  ///< of a channel
  std::vector<Tap> taps_;                            ///< by position
  std::vector<std::int64_t> begins_;                 ///< of each position in `taps_`, and the end
  std::int64_t width_ = 0, blocks_ = 0;              ///< samples of a block, whole registers
  std::int64_t tile_ = 0;                            ///< rows of a register tile
  std::int64_t block_depth_ = 0;                     ///< channels multiplied at a time
  std::int64_t chunk_ = 0;                           ///< positions of a task
};

}  // namespace lbann::kernels::host
