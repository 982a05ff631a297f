// One sample laid out so that the entries all positions see at one tap lie side by side.
#pragma once

#include <cstdint>
#include <vector>

namespace lbann::kernels::host {

/// Along one axis, position p and tap t fall on entry p * stride + shifts[t] (zero if outside).
struct SourceAxis {
  std::int64_t from = 1, to = 1, stride = 1;
  std::vector<std::int64_t> shifts = {0};
};

/// The last axis is copied once for each tap, so that positions are dense; rows and planes are
/// shared by the taps where the steps allow it, so that the copy is smaller than all columns.
/// Position (q, p) of plane q then finds tap k of channel c at offset(c, k) + q * plane_step() + p.
class CorrelationSource {
 public:
  /// Readable entries past the last: registers are loaded whole.
  static constexpr std::int64_t slack = 64;

  CorrelationSource() = default;
  CorrelationSource(std::int64_t channels, SourceAxis planes, SourceAxis rows, SourceAxis columns);

  std::int64_t elements() const { return elements_; }  ///< of a laid-out sample, slack included
  std::int64_t planes() const { return planes_.to; }
  std::int64_t positions() const { return rows_.to * columns_.to; }  ///< of a plane
  std::int64_t plane_step() const { return plane_step_; }
  /// Of channel-major, then planes', rows', columns' taps.
  std::vector<std::int64_t> const& offsets() const { return offsets_; }

  /// Whether a laid-out sample is the sample itself: windows of one tap, side by side.
  bool as_it_is() const;

  /// `from` holds the channels one after the other.
  template <class T>
  void lay_out(T const* from, T* to) const;

 private:
  /// How often and how the entries along an axis are kept.
  struct Kept {
    bool shared = false;
    std::int64_t first = 0;  ///< entry that is kept first, if shared
    std::int64_t count = 0;  ///< kept in all
  };
  static Kept keep(SourceAxis const& axis);
  static std::int64_t entry(SourceAxis const& axis, Kept const& kept, std::int64_t index);

  std::int64_t channels_ = 0, elements_ = 0, plane_step_ = 0;
  SourceAxis planes_, rows_, columns_;
  Kept kept_planes_, kept_rows_;
  std::vector<std::int64_t> offsets_;
};

}  // namespace lbann::kernels::host
