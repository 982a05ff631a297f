// Means of whole channels.
#pragma once

#include "kernels/host/vector.hpp"
#include "kernels/kokkos/lanes.hpp"

namespace lbann::kernels::host {

/// y[c] = mean of x[c, 0] to x[c, entries - 1], contiguous; as many channels for each index as a
/// register has lanes.
template <class T>
struct ChannelMeans {
  T const* x;
  T* y;
  std::int64_t channels, entries;

  /// Channels of an index.
  static constexpr std::int64_t together = lanes<T>;

  std::int64_t blocks() const { return (channels + together - 1) / together; }

  void operator()(std::int64_t block) const {
    std::int64_t const first = block * together;
    std::int64_t const last = first + together < channels ? first + together : channels;
    if (last - first == together) return sum_together(first);
    for (std::int64_t channel = first; channel < last; ++channel) {
      T const* const from = x + channel * entries;
      set(channel, kokkos::lane_sum<T>(entries, [=](std::int64_t i) { return from[i]; }));
    }
  }

 private:
  void set(std::int64_t channel, double sum) const {
    y[channel] = static_cast<T>(sum / static_cast<double>(entries));
  }

  /// As in `lane_sum`, at most 512 numbers are added before they go on in double; what channels
  /// have in their registers becomes the sums of all of them in one.
  void sum_together(std::int64_t first) const {
    constexpr int n = lanes<T>;
    double sums[n] = {};
    for (std::int64_t begin = 0; begin < entries; begin += 512) {
      auto const end = begin + 512 < entries ? begin + 512 : entries;
      Vector<T> parts[n];
#pragma GCC unroll 16
      for (int c = 0; c < n; ++c) {
        T const* const from = x + (first + c) * entries;
        auto i = begin;
        Vector<T> part{};
        for (; i + n <= end; i += n) part += load_vector(from + i);
        parts[c] = part + LaneRange<T>(0, end - i).load(from + i);
      }
      interleave<T, n>(parts);
#pragma GCC unroll 4
      for (int half = n / 2; half > 0; half /= 2)
#pragma GCC unroll 8
        for (int i = 0; i < half; ++i) parts[i] += parts[i + half];
      T totals[n];
      store_vector(totals, parts[0]);
      for (int c = 0; c < n; ++c) sums[c] += static_cast<double>(totals[c]);
    }
    for (int c = 0; c < n; ++c) set(first + c, sums[c]);
  }
};

}  // namespace lbann::kernels::host
