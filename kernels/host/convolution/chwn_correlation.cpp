// Register tiles of rows of the kernel and samples, summed over channels and taps.
#include "kernels/host/convolution/chwn_correlation.hpp"

#include <algorithm>

#include "kernels/host/convolution/im2col_correlation.hpp"
#include "kernels/host/products/packing.hpp"
#include "kernels/shapes/division.hpp"
#include "kernels/tasks.hpp"
#include "schemas/operators/small_images.hpp"

namespace lbann::kernels::host {

namespace {

/// Rows of the result of a task: whole cache lines even of images of one entry.
constexpr std::int64_t task_rows = 16;
/// Rows of the lowest register tile: of the fewest rows, or of one more than fit into a tile.
constexpr int lowest_tile = std::min<int>(SmallImages::least_rows, tile_rows / 2 + 1);
/// Positions of a task at most: their sums stay in the first-level cache.
constexpr std::int64_t most_positions = 16;
/// Elements of the source that are multiplied at a time: they stay in the second-level cache.
constexpr std::int64_t block_elements = 1 << 16;

/// Elements of kernels whose lines are read far apart, from a second-level cache.
constexpr std::int64_t most_scattered = 1 << 18;

}  // namespace

template <class T>
bool ChwnCorrelation<T>::suits(WindowGeometry const& g, bool gradient) {
  auto const rows = gradient ? g.depth() : g.group_filters();
  auto const entries = std::max(g.entries(), g.positions());
  if (SmallImages most{g.samples, rows, entries, 0, 0}; !most.suit_samples_innermost())
    return false;
  // A task reads a cache line of each row of such a kernel, one for each filter.
  if (gradient && g.taps() == 1 && g.filters * g.depth() > most_scattered) return false;
  ChwnCorrelation const it(g, gradient);
  // Others compute those of a gradient in a pass for each remainder modulo the stride.
  auto positions = it.positions_;
  if (gradient) {
    positions = 1;
    for (auto const& axis : g.axes) positions *= ceil_divide(axis.from, axis.stride);
  }
  SmallImages const images{g.samples, rows, entries, static_cast<std::int64_t>(it.taps_.size()),
                           g.taps() * positions};
  if (!images.suit_samples_innermost()) return false;
  // Products that are computed, those of lanes without a sample included. A single register of
  // columns does not keep the FMA units busy.
  auto const lanes_here = it.blocks_ * it.width_;
  auto const here = static_cast<double>(it.taps_.size()) * static_cast<double>(lanes_here) *
                    (it.width_ == lanes<T> ? 1.5 : 1.0);
  // `Im2colCorrelation` computes those of all taps, of no lane without a sample.
  if (Im2colCorrelation<T>::suits(g, gradient))
    return here <= 0.9 * static_cast<double>(g.samples * g.taps() * positions);
  auto const there = static_cast<double>(g.samples) * static_cast<double>(g.taps()) *
                     static_cast<double>(round_up(positions, lanes<T>));
  return here <= there;
}

template <class T>
ChwnCorrelation<T>::ChwnCorrelation(WindowGeometry const& g, bool gradient)
    : geometry_(g), gradient_(gradient) {
  rows_ = gradient ? g.depth() : g.group_filters();
  depth_ = gradient ? g.group_filters() : g.depth();
  row_step_ = gradient ? g.taps() : g.depth() * g.taps();
  depth_step_ = gradient ? g.depth() * g.taps() : g.taps();
  group_step_ = g.group_filters() * g.depth() * g.taps();
  source_entries_ = gradient ? g.positions() : g.entries();
  positions_ = gradient ? g.entries() : g.positions();
  blocks_ = std::max<std::int64_t>(ceil_divide(g.samples, tile_columns<T>), 1);
  width_ = round_up(std::max<std::int64_t>(ceil_divide(g.samples, blocks_), 1), lanes<T>);
  block_depth_ = std::max<std::int64_t>(
      block_elements / std::max<std::int64_t>(source_entries_ * width_, 1), 8);
  // Tiles of about as many rows, since the last one computes some of those before it again.
  auto const rows = std::clamp<std::int64_t>(rows_, 1, task_rows);
  tile_ = ceil_divide(rows, ceil_divide(rows, tile_rows));
  chunk_ = std::clamp<std::int64_t>(positions_, 1, most_positions);
  list_taps();
}

template <class T>
void ChwnCorrelation<T>::list_taps() {
  auto const& g = geometry_;
  std::int64_t const taps[3] = {g.axes[0].taps, g.axes[1].taps, g.axes[2].taps};
  std::int64_t extents[3], entries[3];
  for (int i = 0; i < 3; ++i) {
    extents[i] = gradient_ ? g.axes[i].from : g.axes[i].to;
    entries[i] = gradient_ ? g.axes[i].to : g.axes[i].from;
  }
  auto const entry = [&](int i, std::int64_t position, std::int64_t tap) {
    return gradient_ ? g.axes[i].position(position, tap) : g.axes[i].entry(position, tap);
  };
  for (std::int64_t z = 0; z < extents[0]; ++z)
    for (std::int64_t y = 0; y < extents[1]; ++y)
      for (std::int64_t x = 0; x < extents[2]; ++x) {
        begins_.push_back(static_cast<std::int64_t>(taps_.size()));
        for (std::int64_t a = 0; a < taps[0]; ++a)
          for (std::int64_t b = 0; b < taps[1]; ++b)
            for (std::int64_t c = 0; c < taps[2]; ++c) {
              auto const i = entry(0, z, a), j = entry(1, y, b), k = entry(2, x, c);
              if (i >= 0 && j >= 0 && k >= 0)
                taps_.push_back({(a * taps[1] + b) * taps[2] + c,
                                 ((i * entries[1] + j) * entries[2] + k) * width_});
            }
      }
  begins_.push_back(static_cast<std::int64_t>(taps_.size()));
}

template <class T>
std::int64_t ChwnCorrelation<T>::scratch_elements(bool separate) const {
  auto const source = blocks_ * geometry_.groups * depth_ * source_entries_ * width_;
  auto const result =
      separate ? round_up(geometry_.samples * geometry_.groups * rows_ * positions_, 16) : 0;
  return source + workers_for(tasks()) * slot() + result;
}

template <class T>
std::int64_t ChwnCorrelation<T>::tasks() const {
  return geometry_.groups * ceil_divide(rows_, task_rows) * blocks_ *
         ceil_divide(positions_, chunk_);
}

/// Sums of the rows of a task, and of rows before them.
template <class T>
std::int64_t ChwnCorrelation<T>::slot() const {
  return (std::min(task_rows, rows_) + tile_rows) * chunk_ * width_;
}

/// Blocks of samples one after another, each [group][channel][entry][sample].
template <class T>
void ChwnCorrelation<T>::lay_out(T const* source, T* to) const {
  auto const columns = geometry_.groups * depth_ * source_entries_;
  constexpr std::int64_t part = 64 * lanes<T>;
  auto const parts = ceil_divide(columns, part);
  for_each_task(blocks_ * parts, [&](std::int64_t task, std::int64_t) {
    auto const block = task / parts, column = task % parts * part;
    auto const first = block * width_;
    auto const samples = std::min(width_, geometry_.samples - first);
    auto const count = std::min(part, columns - column);
    T* const begin = to + (block * columns + column) * width_;
    transpose(source + first * columns + column, columns, samples, count, begin, width_);
    if (samples < width_)
      for (std::int64_t i = 0; i < count; ++i)
        std::fill(begin + i * width_ + samples, begin + (i + 1) * width_, T(0));
  });
}

/// sums[r][sample] (+)= the products of `height` rows of the kernel with what a position sees.
template <class T>
template <int height, int vectors>
void ChwnCorrelation<T>::multiply_tile(T const* kernel, T const* source, std::int64_t depth,
                                       std::int64_t position, T* to, std::int64_t pitch,
                                       bool add) const {
  using V = Vector<T>;
  V sums[height][vectors];
#pragma GCC unroll 8
  for (int r = 0; r < height; ++r)
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) sums[r][v] = V{};
  Tap const* const begin = taps_.data() + begins_[static_cast<std::size_t>(position)];
  Tap const* const end = taps_.data() + begins_[static_cast<std::size_t>(position) + 1];
  auto const source_step = source_entries_ * width_, step = row_step_;
  for (std::int64_t d = 0; d < depth; ++d, kernel += depth_step_, source += source_step)
    for (auto const* tap = begin; tap != end; ++tap) {
      V seen[vectors];
#pragma GCC unroll 4
      for (int v = 0; v < vectors; ++v)
        seen[v] = in_register(load_vector(source + tap->entry + v * lanes<T>));
      // Every third row has an address of its own, so that all of them stay in registers.
      T const* const first = kernel + tap->kernel;
      T const* const thirds[3] = {first, first + 3 * step, first + 6 * step};
#pragma GCC unroll 8
      for (int r = 0; r < height; ++r) {
        V const factor = broadcast(thirds[r / 3][r % 3 * step]);
#pragma GCC unroll 4
        for (int v = 0; v < vectors; ++v) sums[r][v] = multiply_add<T>(factor, seen[v], sums[r][v]);
      }
    }
#pragma GCC unroll 8
  for (int r = 0; r < height; ++r)
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) {
      T* const sum = to + r * pitch + v * lanes<T>;
      store_vector(sum, add ? load_vector(sum) + sums[r][v] : sums[r][v]);
    }
}

/// The same for the height of a tile and the width of a block.
template <class T>
template <int height>
void ChwnCorrelation<T>::multiply_tile_of(T const* kernel, T const* source, std::int64_t depth,
                                          std::int64_t position, T* to, std::int64_t pitch,
                                          bool add) const {
  if constexpr (height < tile_rows)
    if (height < tile_)
      return multiply_tile_of<height + 1>(kernel, source, depth, position, to, pitch, add);
  if (width_ == lanes<T>)
    multiply_tile<height, 1>(kernel, source, depth, position, to, pitch, add);
  else if (width_ == 2 * lanes<T>)
    multiply_tile<height, 2>(kernel, source, depth, position, to, pitch, add);
  else
    multiply_tile<height, 3>(kernel, source, depth, position, to, pitch, add);
}

/// Some rows of the result at some positions, for a block of samples.
template <class T>
void ChwnCorrelation<T>::multiply(T const* laid_out, T const* kernel, std::int64_t task, T* sums,
                                  T* result) const {
  auto const& g = geometry_;
  auto const chunks = ceil_divide(positions_, chunk_), down = ceil_divide(rows_, task_rows);
  auto const first = task % chunks * chunk_, positions = std::min(chunk_, positions_ - first);
  auto const block = task / chunks % blocks_, strip = task / chunks / blocks_;
  auto const group = strip / down, row = strip % down * task_rows;
  auto const rows = std::min(task_rows, rows_ - row);
  auto const channel = source_entries_ * width_;
  auto const pitch = positions * width_;
  sums += tile_rows * pitch;  // rows before the strip's
  auto const multiply_rows = [&](std::int64_t at, std::int64_t d) {
    auto const depth = std::min(block_depth_, depth_ - d);
    T const* const source = laid_out + ((block * g.groups + group) * depth_ + d) * channel;
    T const* const left = kernel + group * group_step_ + at * row_step_ + d * depth_step_;
    for (std::int64_t p = 0; p < positions; ++p) {
      T* const to = sums + (at - row) * pitch + p * width_;
      multiply_tile_of<lowest_tile>(left, source, depth, first + p, to, pitch, d != 0);
    }
  };
  auto const whole = rows / tile_ * tile_, end = std::max<std::int64_t>(depth_, 1);
  for (std::int64_t d = 0; d < end; d += block_depth_)
    for (std::int64_t r = 0; r < whole; r += tile_) multiply_rows(row + r, d);
  // What is left is a tile that ends with the last row. It computes some rows again, after all
  // blocks of theirs.
  for (std::int64_t d = 0; d < end && whole < rows; d += block_depth_)
    multiply_rows(rows_ - tile_, d);
  auto const channels = g.groups * rows_;
  auto const samples = std::min(width_, g.samples - block * width_);
  T* const to = result + (block * width_ * channels + group * rows_ + row) * positions_ + first;
  if (positions == positions_)
    return transpose(sums, width_, rows * positions, samples, to, channels * positions_);
  for (std::int64_t r = 0; r < rows; ++r)
    transpose(sums + r * pitch, width_, positions, samples, to + r * positions_,
              channels * positions_);
}

template <class T>
void ChwnCorrelation<T>::run(T const* source, T const* kernel, T* result, T* scratch,
                             MapEngine const* epilogue) const {
  auto const& g = geometry_;
  auto const sample = g.groups * rows_ * positions_;
  if (g.samples == 0 || sample == 0) return;
  T* const laid_out = scratch;
  T* const sums = laid_out + blocks_ * g.groups * depth_ * source_entries_ * width_;
  if (result == nullptr) result = sums + workers_for(tasks()) * slot();
  lay_out(source, laid_out);
  for_each_task(tasks(), [&](std::int64_t task, std::int64_t worker) {
    multiply(laid_out, kernel, task, sums + worker * slot(), result);
  });
  if (epilogue != nullptr)
    for_each_task(g.samples, [&](std::int64_t n, std::int64_t) {
      epilogue->run(n * sample, (n + 1) * sample, result + n * sample);
    });
}

template class ChwnCorrelation<float>;
template class ChwnCorrelation<double>;

}  // namespace lbann::kernels::host
