// Memory of input gradients, remainder by remainder.
#include "schemas/operators/sixteen_bit_tiling.hpp"

#include <set>

namespace lbann {

namespace {

using operators::rules::times;

struct InputGradient {
  std::int64_t groups, depth, filters, threads;

  /// Of `columns` columns and `taps` taps along the axes before `axes`.
  std::int64_t bytes(std::span<SixteenBitAxis const> axes, std::int64_t columns,
                     std::int64_t taps) const {
    if (axes.empty())
      return sixteen_bit_convolution_bytes(groups, depth, sixteen_bit_inner(filters, taps), columns,
                                           threads);
    auto const& axis = axes.front();
    // Many remainders have as many entries and taps as another.
    std::set<std::pair<std::int64_t, std::int64_t>> seen;
    std::int64_t most = 0;
    for (std::int64_t begin = 0; begin < std::min(axis.stride, axis.entries); ++begin) {
      auto const entries = (axis.entries - begin + axis.stride - 1) / axis.stride;
      std::int64_t used = 0;
      for (std::int64_t t = 0; t < axis.taps; ++t)
        used += (begin + axis.padding - t * axis.dilation) % axis.stride == 0 ? 1 : 0;
      if (used > 0 && seen.emplace(entries, used).second)
        most = std::max(most, bytes(axes.subspan(1), times(columns, entries), times(taps, used)));
    }
    return most;
  }
};

}  // namespace

std::int64_t sixteen_bit_input_gradient_bytes(std::int64_t groups, std::int64_t depth,
                                              std::int64_t filters, std::int64_t samples,
                                              std::span<SixteenBitAxis const> axes,
                                              std::int64_t threads) {
  return InputGradient{groups, depth, filters, threads}.bytes(axes, samples, 1);
}

}  // namespace lbann
