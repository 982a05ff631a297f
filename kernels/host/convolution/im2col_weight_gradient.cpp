// Lays out x channels last and dy in panels, chunk by chunk, and multiplies them in register tiles.
#include "kernels/host/convolution/im2col_weight_gradient.hpp"

#include <algorithm>

#include "kernels/host/gradient_parts.hpp"
#include "kernels/host/products/packing.hpp"
#include "kernels/shapes/division.hpp"
#include "kernels/tasks.hpp"
#include "schemas/operators/kernel_gradient_parts.hpp"

namespace lbann::kernels::host {

namespace {

/// Positions multiplied at a time: their columns of a tile stay in the first-level cache.
constexpr std::int64_t block_positions = 192;
/// Elements laid out at a time: a second-level cache holds them. Sums that it does not hold are
/// read and written for each chunk, so chunks are larger there.
constexpr std::int64_t chunk_elements = 1 << 18, large_chunk_elements = 1 << 20,
                       held_sums = 1 << 17;
/// Elements of a task that lays out; tasks that are enough for any machine.
constexpr std::int64_t piece_elements = 1 << 14, enough_tasks = 32;
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
  height_ = tile_height_for(g.group_filters());
  panels_ = ceil_divide(g.group_filters(), height_);
  auto const chunk = kernel_elements() > held_sums ? large_chunk_elements : chunk_elements;
  cut_bands(chunk);

  auto const& [a, b, c] = g.axes;
  auto const at = [&](std::int64_t z, std::int64_t y, std::int64_t x) {
    return ((z * padded_[1] + y) * padded_[2] + x) * pitch_;
  };
  for (std::int64_t z = 0; z < a.taps; ++z)
    for (std::int64_t y = 0; y < b.taps; ++y)
      for (std::int64_t x = 0; x < (c.dilation == 1 ? 1 : c.taps); ++x)
        window_rows_.push_back(at(z * a.dilation, y * b.dilation, x * c.dilation));

  auto const band = band_elements(band_);
  laid_out_ = g.groups * pitch_ * padded_[0] * padded_[1] * padded_[2];
  auto const positions = band_ * line_;
  auto const most = std::max<std::int64_t>(chunk / std::max<std::int64_t>(band, 1), 1);
  auto const all = std::max<std::int64_t>(g.samples * bands_, 1);
  auto const read = g.channels * g.entries() + g.filters * g.positions();
  KernelGradientParts const parts(g.samples, read, kernel_elements());
  parts_ = parts.parts;
  part_ = std::min(parts.samples * bands_, all);
  bundle_ = bands_ > 1
                ? 1
                : std::min({ceil_divide(block_positions, std::max<std::int64_t>(positions, 1)),
                            most, part_});
  chunk_ = bands_ > 1 ? 1 : std::min(part_, most / bundle_ * bundle_);
  packed_ = bundle_ * positions * height_;
  pieces_ = std::clamp<std::int64_t>(band / piece_elements, 1, padded_[0] * padded_[1]);
  auto const count = [&](int i) { return i == axis_ ? band_ : g.axes[i].to; };
  for (std::int64_t n = 0; n < bundle_; ++n)
    for (std::int64_t z = 0; z < count(0); ++z)
      for (std::int64_t y = 0; y < count(1); ++y)
        for (std::int64_t x = 0; x < count(2); ++x)
          begins_.push_back(n * laid_out_ + at(z * a.stride, y * b.stride, x * c.stride));

  row_registers_ = ceil_divide(row_, lanes<T>);
  auto const registers = static_cast<std::int64_t>(window_rows_.size()) * row_registers_;
  sum_row_ = g.taps() == 1 ? row_ : registers * lanes<T>;
  tiles_ = ceil_divide(registers, tile_vectors);
  tasks_ = g.groups * tiles_;
  auto const splits = ceil_divide(enough_tasks, std::max<std::int64_t>(tasks_, 1));
  task_panels_ = ceil_divide(panels_, std::min(splits, panels_));
  tasks_ *= ceil_divide(panels_, task_panels_);
}

/// Cuts samples that are larger than a chunk into bands of planes or rows.
template <class T>
void Im2colWeightGradient<T>::cut_bands(std::int64_t chunk) {
  auto const& g = geometry_;
  axis_ = g.axes[0].to > 1 ? 0 : 1;
  for (int i = 0; i < 3; ++i) padded_[i] = g.axes[i].from + 2 * g.axes[i].padding;
  auto const& axis = g.axes[axis_];
  line_ = g.axes[2].to * (axis_ == 0 ? g.axes[1].to : 1);
  band_ = axis.to;
  if (band_elements(band_) <= chunk) return;
  std::int64_t bands = 2;
  while (bands < axis.to && band_elements(ceil_divide(axis.to, bands)) > chunk) ++bands;
  band_ = ceil_divide(axis.to, bands);
  bands_ = ceil_divide(axis.to, band_);
  padded_[axis_] = seen_by(band_);
}

/// Planes or rows of x, with their padding, that `count` of dy see.
template <class T>
std::int64_t Im2colWeightGradient<T>::seen_by(std::int64_t count) const {
  auto const& axis = geometry_.axes[axis_];
  if (count == axis.to) return axis.from + 2 * axis.padding;
  return (count - 1) * axis.stride + (axis.taps - 1) * axis.dilation + 1;
}

/// Elements of x laid out and of dy packed for a band of `count` planes or rows.
template <class T>
std::int64_t Im2colWeightGradient<T>::band_elements(std::int64_t count) const {
  auto const& g = geometry_;
  auto const across = padded_[2] * (axis_ == 0 ? padded_[1] : padded_[0]);
  return g.groups * (pitch_ * seen_by(count) * across + panels_ * height_ * count * line_);
}

template <class T>
std::int64_t Im2colWeightGradient<T>::kernel_elements() const {
  return geometry_.filters * geometry_.depth() * geometry_.taps();
}

template <class T>
std::int64_t Im2colWeightGradient<T>::sum_elements() const {
  return geometry_.filters * sum_row_;
}

/// Elements of a chunk of x laid out and of dy packed.
template <class T>
std::int64_t Im2colWeightGradient<T>::buffer_elements() const {
  auto const bundles = ceil_divide(chunk_, bundle_);
  return bundles * (bundle_ * laid_out_ + geometry_.groups * panels_ * packed_) + slack;
}

template <class T>
std::int64_t Im2colWeightGradient<T>::scratch_elements() const {
  if (geometry_.samples == 0) return 0;
  // Sums of windows of one tap have the kernel's order.
  auto const sums = geometry_.taps() == 1 ? parts_ - 1 : parts_;
  return parts_at_a_time(parts_) * buffer_elements() + sums * sum_elements();
}

/// Some rows of a band of a sample of x: to[group][z][y][x][channel], zeros in the margins.
template <class T>
void Im2colWeightGradient<T>::lay_out(T const* sample, std::int64_t band, T* to,
                                      std::int64_t piece) const {
  auto const& g = geometry_;
  auto const &az = g.axes[0], &ay = g.axes[1], &ax = g.axes[2];
  auto const depth = g.depth(), rows = padded_[0] * padded_[1], width = padded_[2] * pitch_;
  auto const end = rows * (piece + 1) / pieces_;
  auto const first = band * band_ * g.axes[axis_].stride;
  for (std::int64_t group = 0; group < g.groups; ++group)
    for (auto row = rows * piece / pieces_, next = row; row < end; row = next) {
      next = row + 1;
      T* const line = to + (group * rows + row) * width;
      auto const z = row / padded_[1] - az.padding + (axis_ == 0 ? first : 0);
      auto const y = row % padded_[1] - ay.padding + (axis_ == 1 ? first : 0);
      if (z < 0 || z >= az.from || y < 0 || y >= ay.from) {
        std::fill_n(line, width, T(0));
        continue;
      }
      // Without margins between them rows are one.
      if (ax.padding == 0)
        next = std::min({end, row + ay.from - y, row + padded_[1] - row % padded_[1]});
      auto const columns = (next - row) * ax.from;
      auto const margin = ax.padding * pitch_;
      std::fill_n(line, margin, T(0));
      transpose(sample + group * depth * g.entries() + (z * ay.from + y) * ax.from, g.entries(),
                depth, columns, line + margin, pitch_);
      std::fill_n(line + margin + columns * pitch_, margin, T(0));
    }
}

/// Positions of a band; the last one may be shorter.
template <class T>
std::int64_t Im2colWeightGradient<T>::positions_of(std::int64_t band) const {
  return std::min(band_, geometry_.axes[axis_].to - band * band_) * line_;
}

/// Some panels of a band of a sample of dy: to[panel][position of the bundle][filter], zeros for
/// none.
template <class T>
void Im2colWeightGradient<T>::pack(T const* sample, std::int64_t band, T* to,
                                   std::int64_t piece) const {
  auto const& g = geometry_;
  auto const all = g.groups * panels_, positions = positions_of(band), pitch = g.positions();
  sample += band * band_ * line_;
  for (auto panel = all * piece / pieces_; panel < all * (piece + 1) / pieces_; ++panel) {
    auto const first = panel % panels_ * height_;
    auto const filters = std::min(height_, g.group_filters() - first);
    T const* const from = sample + (panel / panels_ * g.group_filters() + first) * pitch;
    T* const rows = to + panel * packed_;
    if (filters == tile_rows) {
      pack_left<T, tile_rows>({from, pitch, 1}, 0, filters, 0, positions, rows);
      continue;
    }
    for (std::int64_t r = 0; r < height_; ++r)
      for (std::int64_t p = 0; p < positions; ++p)
        rows[p * height_ + r] = r < filters ? from[r * pitch + p] : T(0);
  }
}

/// What a task asks for of bands [first, first + count) of a tensor: x, or dy, with the extents of
/// the axis that is cut.
template <class T>
BlockPrefetch<T> Im2colWeightGradient<T>::prefetch_of(T const* tensor, std::int64_t channels,
                                                      std::int64_t extent, std::int64_t elements,
                                                      std::int64_t first, std::int64_t count,
                                                      std::int64_t task) const {
  if (count <= 0) return {};
  auto const band = first % bands_, begin = extent * band / bands_;
  auto const width = (extent * (band + 1) / bands_ - begin) * (elements / extent);
  auto const rows = channels * (bands_ > 1 ? 1 : count);
  auto const row = rows * task / tasks_, end = rows * (task + 1) / tasks_;
  auto const products = task_panels_ * ceil_divide(count, bundle_) *
                        ceil_divide(bundle_ * band_ * line_, block_positions);
  return {tensor + (first / bands_ * channels + row) * elements + begin * (elements / extent),
          end - row, width, elements, products};
}

/// One tile of registers of windows' rows for some panels of filters: sums[filter][register], over
/// bands [first, first + count) of all samples; `add` to those of bands before them.
template <class T>
void Im2colWeightGradient<T>::multiply(T const* laid_out, T const* packed, std::int64_t first,
                                       std::int64_t count, std::int64_t task, T* sums, bool add,
                                       BlockPrefetch<T> x, BlockPrefetch<T> dy) const {
  auto const& g = geometry_;
  auto const splits = ceil_divide(panels_, task_panels_);
  // Tiles of about as many registers each, so that none is a narrow rest.
  auto const registers = static_cast<std::int64_t>(window_rows_.size()) * row_registers_;
  auto const split = task % splits, tile = task / splits % tiles_, group = task / splits / tiles_;
  auto const begin = registers * tile / tiles_, end = registers * (tile + 1) / tiles_;
  auto const columns = static_cast<int>(std::min(end * lanes<T>, sum_row_) - begin * lanes<T>);
  auto const last = std::min(panels_, (split + 1) * task_panels_);
  ListedRegisters windows{begins_.data(), {}};
  for (auto i = begin; i < end; ++i)
    windows.registers[i - begin] =
        window_rows_[static_cast<std::size_t>(i / row_registers_)] + i % row_registers_ * lanes<T>;
  T const* right = laid_out + group * (laid_out_ / g.groups);
  T const* left = packed + group * panels_ * packed_;
  T* const to = sums + group * g.group_filters() * sum_row_ + begin * lanes<T>;
  for (std::int64_t n = 0; n < count; n += bundle_) {
    auto const positions = std::min(bundle_, count - n) * positions_of((first + n) % bands_);
    for (std::int64_t p = 0; p < positions; p += block_positions) {
      auto const depth = std::min(block_positions, positions - p);
      windows.begins = begins_.data() + p;
      for (auto panel = split * task_panels_; panel < last; ++panel) {
        auto const filter = panel * height_;
        x.prefetch_portion();
        dy.prefetch_portion();
        run_microkernel<T>(
            height_, left + panel * packed_ + p * height_, right, windows, depth,
            TileTarget<T>{to + filter * sum_row_, sum_row_,
                          static_cast<int>(std::min(height_, g.group_filters() - filter)), columns,
                          add || n != 0 || p != 0});
      }
    }
    right += bundle_ * laid_out_;
    left += g.groups * panels_ * packed_;
  }
}

/// From sums[filter][window's row][tap of the row][channel], rows in whole registers, to
/// dkernel[filter][channel][tap].
template <class T>
void Im2colWeightGradient<T>::reorder(T const* sums, T* dkernel) const {
  auto const& g = geometry_;
  auto const rows = static_cast<std::int64_t>(window_rows_.size()), depth = g.depth();
  auto const taps = row_ / depth;
  for_each_task(g.filters, [&](std::int64_t filter, std::int64_t) {
    T* const to = dkernel + filter * depth * g.taps();
    for (std::int64_t row = 0; row < rows; ++row) {
      T const* const from = sums + filter * sum_row_ + row * row_registers_ * lanes<T>;
      for (std::int64_t d = 0; d < depth; ++d)
        for (std::int64_t t = 0; t < taps; ++t)
          to[(d * rows + row) * taps + t] = from[t * depth + d];
    }
  });
}

/// Sums of one part of the bands, by `for_each` of for_each_gradient_part.
template <class T>
template <class ForEach>
void Im2colWeightGradient<T>::sum_part(T const* x, T const* dy, std::int64_t part, T* buffer,
                                       T* sums, ForEach const& for_each) const {
  auto const& g = geometry_;
  auto const begin = part * part_, end = std::min(begin + part_, g.samples * bands_);
  T* const packed = buffer + ceil_divide(chunk_, bundle_) * bundle_ * laid_out_ + slack;
  for (auto first = begin; first < end; first += chunk_) {
    auto const chunk = std::min(chunk_, end - first);
    for_each(chunk * pieces_, [&](std::int64_t task, std::int64_t) {
      auto const n = task / pieces_, piece = task % pieces_;
      auto const sample = (first + n) / bands_, band = (first + n) % bands_;
      lay_out(x + sample * g.channels * g.entries(), band, buffer + n * laid_out_, piece);
      pack(dy + sample * g.filters * g.positions(), band,
           packed + n / bundle_ * g.groups * panels_ * packed_ +
               n % bundle_ * g.positions() * height_,
           piece);
    });
    auto const next = first + chunk, following = std::min(chunk_, end - next);
    for_each(tasks_, [&](std::int64_t task, std::int64_t) {
      multiply(buffer, packed, first, chunk, task, sums, first != begin,
               prefetch_of(x, g.channels, g.axes[axis_].from, g.entries(), next, following, task),
               prefetch_of(dy, g.filters, g.axes[axis_].to, g.positions(), next, following, task));
    });
  }
}

template <class T>
void Im2colWeightGradient<T>::run(T const* x, T const* dy, T* dkernel, T* scratch) const {
  auto const& g = geometry_;
  auto const kernel = kernel_elements();
  if (kernel == 0) return;
  if (g.samples == 0 || g.positions() == 0)
    return static_cast<void>(std::fill_n(dkernel, kernel, T(0)));
  T* const sums = scratch + parts_at_a_time(parts_) * buffer_elements();
  T* const first = g.taps() == 1 ? dkernel : sums;
  T* const others = g.taps() == 1 ? sums : sums + sum_elements();
  for_each_gradient_part(parts_, [&](std::int64_t part, std::int64_t buffer, auto const& for_each) {
    sum_part(x, dy, part, scratch + buffer * buffer_elements(),
             part == 0 ? first : others + (part - 1) * sum_elements(), for_each);
  });
  add_gradient_parts(first, others, parts_ - 1, g.filters, sum_row_);
  if (g.taps() != 1) reorder(first, dkernel);
}

template class Im2colWeightGradient<float>;
template class Im2colWeightGradient<double>;

}  // namespace lbann::kernels::host
