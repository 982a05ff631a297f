// Lays out x channels last and dy in panels, chunk by chunk, and multiplies them in register tiles.
#include "kernels/host/convolution/im2col_weight_gradient.hpp"

#include <algorithm>

#include "kernels/host/products/packing.hpp"
#include "kernels/shapes/division.hpp"
#include "kernels/tasks.hpp"

namespace lbann::kernels::host {

namespace {

/// Positions multiplied at a time: their columns of a tile stay in the first-level cache.
constexpr std::int64_t block_positions = 192;
/// Elements laid out at a time; of a task that lays out; tasks that are enough for any machine.
constexpr std::int64_t chunk_elements = 1 << 20, part_elements = 1 << 14, enough_tasks = 32;
/// Readable past the last element: registers are loaded whole.
constexpr std::int64_t slack = 64;

/// Channels a position sees side by side: those of a row's taps, of one tap if they lie apart.
std::int64_t row_columns(WindowGeometry const& g) {
  return g.axes[2].dilation == 1 ? g.axes[2].taps * g.depth() : g.depth();
}

/// From a position to the next: its channels, and where windows' rows are no longer, a cache line
/// more where they would else come to lie in few sets of the first-level cache.
std::int64_t pitch_of(WindowGeometry const& g, std::int64_t line) {
  return row_columns(g) == g.depth() && g.depth() % (4 * line) == 0 ? g.depth() + line : g.depth();
}

}  // namespace

template <class T>
bool Im2colWeightGradient<T>::suits(WindowGeometry const& g) {
  auto const columns = row_columns(g);
  return g.group_filters() >= 4 && 5 * columns >= 3 * ceil_divide(columns, lanes<T>) * lanes<T>;
}

template <class T>
Im2colWeightGradient<T>::Im2colWeightGradient(WindowGeometry const& g)
    : geometry_(g), row_(row_columns(g)), pitch_(pitch_of(g, 64 / sizeof(T))) {
  for (int i = 0; i < 3; ++i) padded_[i] = g.axes[i].from + 2 * g.axes[i].padding;
  auto const& [a, b, c] = g.axes;
  auto const at = [&](std::int64_t z, std::int64_t y, std::int64_t x) {
    return ((z * padded_[1] + y) * padded_[2] + x) * pitch_;
  };
  for (std::int64_t z = 0; z < a.taps; ++z)
    for (std::int64_t y = 0; y < b.taps; ++y)
      for (std::int64_t x = 0; x < (c.dilation == 1 ? 1 : c.taps); ++x)
        window_rows_.push_back(at(z * a.dilation, y * b.dilation, x * c.dilation));

  height_ = tile_height_for(g.group_filters());
  panels_ = ceil_divide(g.group_filters(), height_);
  laid_out_ = g.groups * pitch_ * padded_[0] * padded_[1] * padded_[2];
  auto const sample = laid_out_ + g.groups * panels_ * height_ * g.positions();
  auto const most = std::max<std::int64_t>(chunk_elements / std::max<std::int64_t>(sample, 1), 1);
  auto const samples = std::max<std::int64_t>(g.samples, 1);
  bundle_ = std::min(
      {ceil_divide(block_positions, std::max<std::int64_t>(g.positions(), 1)), most, samples});
  chunk_ = std::min(samples, most / bundle_ * bundle_);
  packed_ = bundle_ * g.positions() * height_;
  parts_ = std::clamp<std::int64_t>(sample / part_elements, 1, padded_[0] * padded_[1]);
  for (std::int64_t n = 0; n < bundle_; ++n)
    for (std::int64_t z = 0; z < a.to; ++z)
      for (std::int64_t y = 0; y < b.to; ++y)
        for (std::int64_t x = 0; x < c.to; ++x)
          begins_.push_back(n * laid_out_ + at(z * a.stride, y * b.stride, x * c.stride));

  auto const tiles = g.groups * static_cast<std::int64_t>(window_rows_.size()) *
                     ceil_divide(row_, tile_columns<T>);
  auto const splits = ceil_divide(enough_tasks, std::max<std::int64_t>(tiles, 1));
  task_panels_ = ceil_divide(panels_, std::min(splits, panels_));
}

template <class T>
std::int64_t Im2colWeightGradient<T>::scratch_elements() const {
  if (geometry_.samples == 0) return 0;
  auto const bundles = ceil_divide(chunk_, bundle_);
  auto const sums =
      geometry_.taps() == 1 ? 0 : geometry_.filters * geometry_.depth() * geometry_.taps();
  return bundles * (bundle_ * laid_out_ + geometry_.groups * panels_ * packed_) + slack + sums;
}

/// Some rows of a sample of x: to[group][z][y][x][channel], zeros in the margins.
template <class T>
void Im2colWeightGradient<T>::lay_out(T const* sample, T* to, std::int64_t part) const {
  auto const& g = geometry_;
  auto const &az = g.axes[0], &ay = g.axes[1], &ax = g.axes[2];
  auto const depth = g.depth(), rows = padded_[0] * padded_[1], width = padded_[2] * pitch_;
  auto const end = rows * (part + 1) / parts_;
  for (std::int64_t group = 0; group < g.groups; ++group)
    for (auto row = rows * part / parts_, next = row; row < end; row = next) {
      next = row + 1;
      T* const line = to + (group * rows + row) * width;
      auto const z = row / padded_[1] - az.padding, y = row % padded_[1] - ay.padding;
      if (z < 0 || z >= az.from || y < 0 || y >= ay.from) {
        std::fill_n(line, width, T(0));
        continue;
      }
      // Without margins between them rows are one.
      if (ax.padding == 0) next = std::min(end, row + ay.from - y);
      auto const columns = (next - row) * ax.from;
      auto const margin = ax.padding * pitch_;
      std::fill_n(line, margin, T(0));
      transpose(sample + group * depth * g.entries() + (z * ay.from + y) * ax.from, g.entries(),
                depth, columns, line + margin, pitch_);
      std::fill_n(line + margin + columns * pitch_, margin, T(0));
    }
}

/// Some panels of a sample of dy: to[panel][position of the bundle][filter], zeros for none.
template <class T>
void Im2colWeightGradient<T>::pack(T const* sample, T* to, std::int64_t part) const {
  auto const& g = geometry_;
  auto const all = g.groups * panels_, positions = g.positions();
  for (auto panel = all * part / parts_; panel < all * (part + 1) / parts_; ++panel) {
    auto const first = panel % panels_ * height_;
    auto const filters = std::min(height_, g.group_filters() - first);
    T const* const from = sample + (panel / panels_ * g.group_filters() + first) * positions;
    T* const rows = to + panel * packed_;
    if (filters == tile_rows) {
      pack_left<T, tile_rows>({from, positions, 1}, 0, filters, 0, positions, rows);
      continue;
    }
    for (std::int64_t r = 0; r < height_; ++r)
      for (std::int64_t p = 0; p < positions; ++p)
        rows[p * height_ + r] = r < filters ? from[r * positions + p] : T(0);
  }
}

/// One tile of columns of a window's row for some panels of filters: sums[row][filter][column].
template <class T>
void Im2colWeightGradient<T>::multiply(T const* laid_out, T const* packed, std::int64_t samples,
                                       std::int64_t task, T* sums, bool add) const {
  auto const& g = geometry_;
  auto const splits = ceil_divide(panels_, task_panels_),
             across = ceil_divide(row_, tile_columns<T>);
  auto const rows = static_cast<std::int64_t>(window_rows_.size());
  auto const split = task % splits, column = task / splits % across * tile_columns<T>;
  auto const row = task / splits / across % rows, group = task / splits / across / rows;
  auto const columns = static_cast<int>(std::min<std::int64_t>(tile_columns<T>, row_ - column));
  auto const last = std::min(panels_, (split + 1) * task_panels_);
  T const* right = laid_out + group * (laid_out_ / g.groups) +
                   window_rows_[static_cast<std::size_t>(row)] + column;
  T const* left = packed + group * panels_ * packed_;
  T* const to = sums + (group * rows + row) * g.group_filters() * row_ + column;
  for (std::int64_t n = 0; n < samples; n += bundle_) {
    auto const positions = std::min(bundle_, samples - n) * g.positions();
    for (std::int64_t p = 0; p < positions; p += block_positions) {
      auto const count = std::min(block_positions, positions - p);
      for (auto panel = split * task_panels_; panel < last; ++panel) {
        auto const filter = panel * height_;
        run_microkernel<T>(
            height_, left + panel * packed_ + p * height_, right, ListedRows{begins_.data() + p},
            count,
            TileTarget<T>{to + filter * row_, row_,
                          static_cast<int>(std::min(height_, g.group_filters() - filter)), columns,
                          add || n != 0 || p != 0});
      }
    }
    right += bundle_ * laid_out_;
    left += g.groups * panels_ * packed_;
  }
}

/// From sums[group][window's row][filter][tap of the row][channel] to
/// dkernel[filter][channel][tap].
template <class T>
void Im2colWeightGradient<T>::reorder(T const* sums, T* dkernel) const {
  auto const& g = geometry_;
  auto const rows = static_cast<std::int64_t>(window_rows_.size()), depth = g.depth();
  auto const taps = row_ / depth;
  for_each_task(g.filters, [&](std::int64_t filter, std::int64_t) {
    auto const group = filter / g.group_filters(), inside = filter % g.group_filters();
    T* const to = dkernel + filter * depth * g.taps();
    for (std::int64_t row = 0; row < rows; ++row) {
      T const* const from = sums + ((group * rows + row) * g.group_filters() + inside) * row_;
      for (std::int64_t d = 0; d < depth; ++d)
        for (std::int64_t t = 0; t < taps; ++t)
          to[(d * rows + row) * taps + t] = from[t * depth + d];
    }
  });
}

template <class T>
void Im2colWeightGradient<T>::run(T const* x, T const* dy, T* dkernel, T* scratch) const {
  auto const& g = geometry_;
  auto const kernel = g.filters * g.depth() * g.taps();
  if (kernel == 0) return;
  if (g.samples == 0 || g.positions() == 0)
    return static_cast<void>(std::fill_n(dkernel, kernel, T(0)));
  auto const bundles = ceil_divide(chunk_, bundle_);
  T* const laid_out = scratch;
  T* const packed = laid_out + bundles * bundle_ * laid_out_ + slack;
  // A window of one tap has its sums where they belong.
  T* const sums = g.taps() == 1 ? dkernel : packed + bundles * g.groups * panels_ * packed_;
  auto const tasks = g.groups * static_cast<std::int64_t>(window_rows_.size()) *
                     ceil_divide(row_, tile_columns<T>) * ceil_divide(panels_, task_panels_);
  for (std::int64_t first = 0; first < g.samples; first += chunk_) {
    auto const chunk = std::min(chunk_, g.samples - first);
    for_each_task(chunk * parts_, [&](std::int64_t task, std::int64_t) {
      auto const n = task / parts_, part = task % parts_;
      lay_out(x + (first + n) * g.channels * g.entries(), laid_out + n * laid_out_, part);
      pack(dy + (first + n) * g.filters * g.positions(),
           packed + n / bundle_ * g.groups * panels_ * packed_ +
               n % bundle_ * g.positions() * height_,
           part);
    });
    for_each_task(tasks, [&](std::int64_t task, std::int64_t) {
      multiply(laid_out, packed, chunk, task, sums, first != 0);
    });
  }
  if (g.taps() != 1) reorder(sums, dkernel);
}

template class Im2colWeightGradient<float>;
template class Im2colWeightGradient<double>;

}  // namespace lbann::kernels::host
