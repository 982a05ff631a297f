// Images and what windows see of them, as factors of products: columns are positions of all
// samples.
#pragma once

#include "kernels/host/sixteen_bit/tile_packing.hpp"
#include "kernels/shapes/window_geometry.hpp"

namespace lbann::kernels::host::sixteen_bit {

/// Images [samples, channels, entries]: a row for each of some channels, in which the entries of
/// all samples follow each other.
class ImagesFactor final : public Factor {
 public:
  /// `data`: the first of the channels, of `channels` that samples have.
  ImagesFactor(std::uint16_t const* data, std::int64_t channels, std::int64_t entries)
      : data_(data), sample_(channels * entries), entries_(entries) {}
  std::uint16_t const* read(std::int64_t row, std::int64_t begin, std::int64_t count,
                            std::uint16_t* buffer) const override;

 private:
  std::uint16_t const* data_;
  std::int64_t sample_, entries_;
};

/// A row for each channel of a group and each tap, in which column by column stands what the tap
/// sees. Forward the columns are positions of the window and entries of x are seen; for the
/// gradient with respect to x they are entries, and positions of dy are seen.
class WindowFactor final : public Factor {
 public:
  /// `images`: the first channel of the group, of `channels` that samples have.
  WindowFactor(WindowGeometry const& geometry, bool gradient, std::uint16_t const* images,
               std::int64_t channels);
  std::uint16_t const* read(std::int64_t row, std::int64_t begin, std::int64_t count,
                            std::uint16_t* buffer) const override;

  /// Whether the windows see images as they are.
  static bool is_identity(WindowGeometry const& geometry);

 private:
  /// What index `i` along axis `a` sees through tap `t`; -1 for nothing.
  std::int64_t seen(int a, std::int64_t i, std::int64_t t) const {
    return gradient_ ? geometry_.axes[a].position(i, t) : geometry_.axes[a].entry(i, t);
  }
  /// Writes `count` numbers from index `begin` of the last axis.
  void read_line(std::uint16_t const* line, std::int64_t tap, std::int64_t begin,
                 std::int64_t count, std::uint16_t* to) const;

  WindowGeometry geometry_;
  bool gradient_;
  std::uint16_t const* images_;
  std::int64_t across_[3], seen_[3];  ///< extents of the columns, and of what is seen
  std::int64_t columns_, entries_, sample_;
};

/// The kernel [filters, depth, taps] with its channels as rows, along filters and taps.
class TransposedKernelFactor final : public Factor {
 public:
  TransposedKernelFactor(std::uint16_t const* kernel, std::int64_t depth, std::int64_t taps)
      : kernel_(kernel), depth_(depth), taps_(taps) {}
  std::uint16_t const* read(std::int64_t row, std::int64_t begin, std::int64_t count,
                            std::uint16_t* buffer) const override;

 private:
  std::uint16_t const* kernel_;
  std::int64_t depth_, taps_;
};

}  // namespace lbann::kernels::host::sixteen_bit
