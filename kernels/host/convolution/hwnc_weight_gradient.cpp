// Tiles of filters and channels for all taps, then written in the kernel's order.
#include "kernels/host/convolution/hwnc_weight_gradient.hpp"

#include <algorithm>

#include "kernels/host/products/packing.hpp"
#include "kernels/shapes/division.hpp"
#include "kernels/tasks.hpp"

namespace lbann::kernels::host {

namespace {

/// Of larger images registers are full anyway; more elements laid out would cost too much memory;
/// sums of more taps would not stay in the first-level cache, and those of one tap lie in the
/// kernel's order without it.
constexpr std::int64_t most_entries = 256, most_elements = 1 << 23, least_taps = 2, most_taps = 32;
/// Fewer fill neither tiles nor panels.
constexpr std::int64_t least_channels = 16, least_filters = 8;
/// Rows of a tile that are multiplied at a time: they stay in the second-level cache.
constexpr std::int64_t chunk_rows = 2048;

/// Tiles of channels and panels of filters of a group.
template <class T>
std::int64_t tiles_of(WindowGeometry const& g) {
  return ceil_divide(g.depth(), tile_columns<T>);
}
std::int64_t panels_of(WindowGeometry const& g) {
  return ceil_divide(g.group_filters(), tile_rows);
}

}  // namespace

template <class T>
bool HwncWeightGradient<T>::suits(WindowGeometry const& g) {
  return g.samples > 0 && g.entries() <= most_entries && g.positions() <= most_entries &&
         g.taps() >= least_taps && g.taps() <= most_taps && g.depth() >= least_channels &&
         g.group_filters() >= least_filters &&
         g.groups * (tiles_of<T>(g) * g.entries() * tile_columns<T> +
                     panels_of(g) * g.positions() * tile_rows) <=
             most_elements / g.samples;
}

template <class T>
HwncWeightGradient<T>::HwncWeightGradient(WindowGeometry const& g)
    : geometry_(g),
      tiles_(tiles_of<T>(g)),
      panels_(panels_of(g)),
      tile_(g.entries() * g.samples * tile_columns<T>),
      panel_(g.positions() * g.samples * tile_rows) {
  auto const samples = std::max<std::int64_t>(g.samples, 1);
  auto const chunks = ceil_divide(
      samples, std::max<std::int64_t>(chunk_rows / std::max<std::int64_t>(g.entries(), 1), 1));
  chunk_ = ceil_divide(samples, std::min(chunks, samples));
  list_segments();
}

template <class T>
void HwncWeightGradient<T>::list_segments() {
  auto const& [az, ay, ax] = geometry_.axes;
  for (std::int64_t a = 0; a < az.taps; ++a)
    for (std::int64_t b = 0; b < ay.taps; ++b)
      for (std::int64_t c = 0; c < ax.taps; ++c) {
        begins_.push_back(segments_.size());
        for (std::int64_t z = 0; z < az.to; ++z)
          for (std::int64_t y = 0; y < ay.to; ++y)
            for (std::int64_t x = 0; x < ax.to; ++x) {
              auto const i = az.entry(z, a), j = ay.entry(y, b), k = ax.entry(x, c);
              if (i < 0 || j < 0 || k < 0) continue;
              Segment const next{(z * ay.to + y) * ax.to + x, (i * ay.from + j) * ax.from + k, 1};
              auto* const last = segments_.size() > begins_.back() ? &segments_.back() : nullptr;
              if (last != nullptr && last->position + last->count == next.position &&
                  last->entry + last->count == next.entry)
                ++last->count;
              else
                segments_.push_back(next);
            }
      }
  begins_.push_back(segments_.size());
}

template <class T>
std::int64_t HwncWeightGradient<T>::scratch_elements() const {
  auto const& g = geometry_;
  return g.groups * (tiles_ * tile_ + panels_ * panel_) +
         ThreadTeam::size() * g.taps() * tile_rows * tile_columns<T>;
}

/// Tile number `tile` of all groups: to[entry][sample][channel] of each chunk; columns of registers
/// that a last tile does not fill are zeros.
template <class T>
void HwncWeightGradient<T>::lay_out_channels(T const* x, T* to, std::int64_t tile) const {
  auto const& g = geometry_;
  constexpr std::int64_t width = tile_columns<T>;
  auto const first = tile % tiles_ * width, count = std::min(width, g.depth() - first);
  T const* const from = x + (tile / tiles_ * g.depth() + first) * g.entries();
  for (std::int64_t begin = 0; begin < g.samples; begin += chunk_) {
    auto const samples = std::min(chunk_, g.samples - begin);
    for (std::int64_t n = 0; n < samples; ++n)
      transpose(from + (begin + n) * g.channels * g.entries(), g.entries(), count, g.entries(),
                to + (begin * g.entries() + n) * width, samples * width);
  }
  auto const whole = ceil_divide(count, lanes<T>) * lanes<T>;
  if (whole != count)
    for (std::int64_t row = 0; row < g.entries() * g.samples; ++row)
      std::fill(to + row * width + count, to + row * width + whole, T(0));
}

/// Panel number `panel` of all groups: to[position][sample][filter] of each chunk; filters that a
/// last panel lacks are zeros.
template <class T>
void HwncWeightGradient<T>::lay_out_filters(T const* dy, T* to, std::int64_t panel) const {
  auto const& g = geometry_;
  constexpr std::int64_t height = tile_rows;
  auto const first = panel % panels_ * height, count = std::min(height, g.group_filters() - first);
  T const* const from = dy + (panel / panels_ * g.group_filters() + first) * g.positions();
  if (count < height) std::fill_n(to, panel_, T(0));
  for (std::int64_t begin = 0; begin < g.samples; begin += chunk_) {
    auto const samples = std::min(chunk_, g.samples - begin);
    for (std::int64_t n = 0; n < samples; ++n)
      transpose(from + (begin + n) * g.filters * g.positions(), g.positions(), count, g.positions(),
                to + (begin * g.positions() + n) * height, samples * height);
  }
}

/// A panel of filters and a tile of channels: sums[tap][filter][channel], then to the kernel's
/// gradient.
template <class T>
void HwncWeightGradient<T>::multiply(T const* channels, T const* filters, T* sums, T* dkernel,
                                     std::int64_t task) const {
  auto const& g = geometry_;
  constexpr std::int64_t width = tile_columns<T>, height = tile_rows;
  auto const tile = task % tiles_, panel = task / tiles_ % panels_, group = task / tiles_ / panels_;
  auto const column = tile * width, row = panel * height;
  auto const columns = std::min(width, g.depth() - column);
  auto const rows = std::min(height, g.group_filters() - row);
  channels += (group * tiles_ + tile) * tile_;
  filters += (group * panels_ + panel) * panel_;
  for (std::int64_t begin = 0; begin < g.samples; begin += chunk_) {
    auto const samples = std::min(chunk_, g.samples - begin);
    T const* const left = filters + begin * g.positions() * height;
    T const* const right = channels + begin * g.entries() * width;
    for (std::size_t tap = 0; tap + 1 < begins_.size(); ++tap) {
      T* const to = sums + static_cast<std::int64_t>(tap) * height * width;
      if (begins_[tap] == begins_[tap + 1]) std::fill_n(to, height * width, T(0));
      for (auto i = begins_[tap]; i < begins_[tap + 1]; ++i) {
        auto const& s = segments_[i];
        run_microkernel<T, tile_rows>(
            left + s.position * samples * height, right + s.entry * samples * width,
            PackedRows{width}, s.count * samples,
            TileTarget<T>{to, width, static_cast<int>(height), static_cast<int>(columns),
                          begin != 0 || i != begins_[tap]});
      }
    }
  }
  T* const to = dkernel + ((group * g.group_filters() + row) * g.depth() + column) * g.taps();
  for (std::int64_t r = 0; r < rows; ++r)
    transpose(sums + r * width, height * width, g.taps(), columns, to + r * g.depth() * g.taps(),
              g.taps());
}

template <class T>
void HwncWeightGradient<T>::run(T const* x, T const* dy, T* dkernel, T* scratch) const {
  auto const& g = geometry_;
  auto const tiles = g.groups * tiles_, panels = g.groups * panels_;
  T* const channels = scratch;
  T* const filters = channels + tiles * tile_;
  T* const sums = filters + panels * panel_;
  for_each_task(tiles + panels, [&](std::int64_t task, std::int64_t) {
    if (task < tiles)
      lay_out_channels(x, channels + task * tile_, task);
    else
      lay_out_filters(dy, filters + (task - tiles) * panel_, task - tiles);
  });
  auto const slot = g.taps() * tile_rows * tile_columns<T>;
  for_each_task(panels * tiles_, [&](std::int64_t task, std::int64_t worker) {
    multiply(channels, filters, sums + worker * slot, dkernel, task);
  });
}

template class HwncWeightGradient<float>;
template class HwncWeightGradient<double>;

}  // namespace lbann::kernels::host
