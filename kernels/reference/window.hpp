// Which entry of a sample's channel each tap of each position of a window falls on.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/kernel.hpp"

namespace lbann::kernels::reference {

/// Steps of a window, one per spatial axis.
struct WindowSteps {
  std::span<std::int64_t const> stride, padding, dilation;
};

/// Spatial axes are the last ones of `input` and `output` after the first two; all in C order.
class WindowTable {
 public:
  static constexpr std::int64_t outside = -1;

  /// `taps` are the window's extents.
  WindowTable(View const& input, View const& output, std::span<std::int64_t const> taps,
              WindowSteps steps);

  std::int64_t entries() const { return entries_; }      ///< of a channel of the input
  std::int64_t positions() const { return positions_; }  ///< entries of a channel of the output
  std::int64_t taps() const { return taps_; }
  /// The entry of the input, or `outside` in the padding.
  std::int64_t entry(std::int64_t position, std::int64_t tap) const {
    return table_[static_cast<std::size_t>(position * taps_ + tap)];
  }

 private:
  std::int64_t entries_ = 1, positions_ = 1, taps_ = 1;
  std::vector<std::int64_t> table_;
};

/// Extents of a view beyond its first two.
std::span<std::int64_t const> spatial_extents(View const& view);

}  // namespace lbann::kernels::reference
