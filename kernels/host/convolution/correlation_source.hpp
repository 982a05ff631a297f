// One sample laid out so that the entries that neighbouring positions see through one tap are
// contiguous.
#pragma once

#include "kernels/shapes/correlation_pass.hpp"

namespace lbann::kernels::host {

/// A partial im2col. The last axis is copied once for each of its taps, so that positions are
/// contiguous; rows and planes are stored once and shared by the taps where strides allow it, so
/// that the copy is smaller than a full im2col matrix. Position p of plane q sees tap k of channel
/// c at offset(c, k) + q * plane_step() + p.
class CorrelationSource {
 public:
  /// Entries after the last one that may be read: registers are loaded whole.
  static constexpr std::int64_t slack = 64;

  CorrelationSource() = default;
  CorrelationSource(std::int64_t channels, SourceAxis planes, SourceAxis rows, SourceAxis columns);

  std::int64_t elements() const { return elements_; }  ///< of a laid-out sample, slack included
  std::int64_t planes() const { return planes_.to; }
  std::int64_t positions() const { return rows_.to * columns_.to; }  ///< of a plane
  std::int64_t plane_step() const { return plane_step_; }
  /// Offsets by channel, then tap of the planes, rows and columns.
  std::vector<std::int64_t> const& offsets() const { return offsets_; }

  /// Whether the laid-out sample equals the sample: windows of one tap, stride 1, no padding.
  bool as_it_is() const;

  /// Lays out a sample, `from` in C order.
  template <class T>
  void lay_out(T const* from, T* to) const;

 private:
  /// How the entries along an axis are stored: once, or once for each tap.
  struct Kept {
    bool shared = false;
    std::int64_t first = 0;  ///< number of the first entry stored, if shared
    std::int64_t count = 0;  ///< entries stored
  };
  static Kept keep(SourceAxis const& axis);
  static std::int64_t entry(SourceAxis const& axis, Kept const& kept, std::int64_t index);

  std::int64_t channels_ = 0, elements_ = 0, plane_step_ = 0;
  SourceAxis planes_, rows_, columns_;
  Kept kept_planes_, kept_rows_;
  std::vector<std::int64_t> offsets_;
};

}  // namespace lbann::kernels::host
