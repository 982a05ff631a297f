// Images, what windows see of them, and kernels, as factors of products: positions of all samples
// follow each other.
#pragma once

#include "kernels/host/sixteen_bit/tile_packing.hpp"
#include "kernels/shapes/correlation_pass.hpp"

namespace lbann::kernels::host::sixteen_bit {

/// Images [samples, channels, entries]: a row for each of some channels, in which the entries of
/// all samples follow each other.
class ImagesFactor final : public RowsFactor {
 public:
  /// `data`: the first of the channels, of `channels` that samples have.
  ImagesFactor(bool rows_are_lines, std::uint16_t const* data, std::int64_t channels,
               std::int64_t entries)
      : RowsFactor(rows_are_lines), data_(data), sample_(channels * entries), entries_(entries) {}

 private:
  std::uint16_t const* read(std::int64_t row, std::int64_t begin, std::int64_t count,
                            std::uint16_t* buffer) const override;

  std::uint16_t const* data_;
  std::int64_t sample_, entries_;
};

/// Channels of images, as the positions of a pass see them through its taps.
struct SeenImages {
  CorrelationPass const& pass;
  std::uint16_t const* data;  ///< the first channel of a group
  std::int64_t depth;         ///< channels of the group
  std::int64_t sample_step;   ///< from one sample to the next

  std::int64_t entries() const { return pass.axes[0].from * pass.axes[1].from * pass.axes[2].from; }
  std::int64_t taps() const { return static_cast<std::int64_t>(pass.taps.size()); }
};

/// A right factor, whose columns are positions. Along the inner extent are pairs of channels, of
/// each pair the taps, of each tap both numbers: `sixteen_bit_inner` elements. The channel that an
/// odd last one lacks is zero.
class WindowPairs final : public Factor {
 public:
  explicit WindowPairs(SeenImages const& images) : images_(images) {}
  void pack(Side side, PackedPart const& part, std::uint16_t* to,
            std::uint16_t* buffer) const override;

 private:
  SeenImages images_;
};

/// A right factor, whose columns are channels, of each the taps, and whose inner extent are
/// positions.
class WindowLines final : public Factor {
 public:
  explicit WindowLines(SeenImages const& images) : images_(images) {}
  void pack(Side side, PackedPart const& part, std::uint16_t* to,
            std::uint16_t* buffer) const override;

 private:
  SeenImages images_;
};

/// A left factor: the kernel of a pass, its inner extent as that of `WindowPairs`.
class KernelFactor final : public RowsFactor {
 public:
  /// `kernel`: of a group, [rows, depth, all taps], or with `gradient` [depth, rows, all taps].
  KernelFactor(std::uint16_t const* kernel, bool gradient, std::int64_t rows, std::int64_t depth,
               std::int64_t all_taps, CorrelationPass const& pass)
      : RowsFactor(true),
        kernel_(kernel),
        depth_(depth),
        row_step_(gradient ? all_taps : depth * all_taps),
        channel_step_(gradient ? rows * all_taps : all_taps),
        pass_(pass) {}

 private:
  std::uint16_t const* read(std::int64_t row, std::int64_t begin, std::int64_t count,
                            std::uint16_t* buffer) const override;

  std::uint16_t const* kernel_;
  std::int64_t depth_, row_step_, channel_step_;
  CorrelationPass const& pass_;
};

}  // namespace lbann::kernels::host::sixteen_bit
