// Walks over all positions and taps of a window.
#include "kernels/reference/window.hpp"

namespace lbann::kernels::reference {

std::span<std::int64_t const> spatial_extents(View const& view) {
  return std::span(view.extents).subspan(2, view.rank - 2u);
}

WindowTable::WindowTable(View const& input, View const& output,
                         std::span<std::int64_t const> window, WindowSteps steps) {
  auto const from = spatial_extents(input), to = spatial_extents(output);
  for (auto extent : from) entries_ *= extent;
  for (auto extent : to) positions_ *= extent;
  for (auto extent : window) taps_ *= extent;
  table_.reserve(static_cast<std::size_t>(positions_ * taps_));
  for (std::int64_t position = 0; position < positions_; ++position)
    for (std::int64_t tap = 0; tap < taps_; ++tap) {
      std::int64_t entry = 0, unit = 1, p = position, t = tap;
      for (std::size_t axis = window.size(); axis-- > 0;) {
        auto const at = p % to[axis] * steps.stride[axis] +
                        t % window[axis] * steps.dilation[axis] - steps.padding[axis];
        if (at < 0 || at >= from[axis]) {
          entry = outside;
          break;
        }
        entry += at * unit;
        unit *= from[axis];
        p /= to[axis];
        t /= window[axis];
      }
      table_.push_back(entry);
    }
}

}  // namespace lbann::kernels::reference
