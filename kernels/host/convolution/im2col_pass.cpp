// The loops around the microkernel, and what follows a task's product.
#include "kernels/host/convolution/im2col_pass.hpp"

#include <algorithm>

#include "kernels/host/products/packing.hpp"
#include "kernels/shapes/division.hpp"
#include "kernels/tasks.hpp"

namespace lbann::kernels::host {

namespace {

/// Channels and taps multiplied at a time: their columns of a tile stay in the first-level cache.
constexpr std::int64_t block_depth = 192;
/// Register tiles of columns, and rows, of a task: packed columns, packed rows and sums of a block
/// stay in the second-level cache.
constexpr std::int64_t block_tiles = 8, most_rows = 256;
/// Rows of a task at least, and tasks for each thread that are enough.
constexpr std::int64_t least_task_rows = 64, enough_tasks = 4;

/// Asks for the lines of a tile while it is computed: short sums would wait for them.
template <class T>
void prefetch_for_writing(TileTarget<T> const& to) {
  constexpr int line = 64 / sizeof(T);
  for (int r = 0; r < to.rows; ++r)
    for (int j = 0; j < to.columns; j += line) __builtin_prefetch(to.c + r * to.leading + j, 1);
}

}  // namespace

template <class T>
Im2colPass<T>::Im2colPass(WindowGeometry const& g, bool gradient, CorrelationPass pass)
    : geometry_(g), kernel_(g, gradient), pass_(std::move(pass)) {
  for (int i = 0; i < 3; ++i) {
    extents_[i] = gradient ? g.axes[i].from : g.axes[i].to;
    whole_ = whole_ && pass_.count[i] == extents_[i];
  }
  taps_ = static_cast<std::int64_t>(pass_.taps.size());
  source_entries_ = gradient ? g.positions() : g.entries();
  positions_ = pass_.positions();
  columns_ = Im2colColumns<T>(pass_.axes, g.samples, g.groups * kernel_.depth * source_entries_);
  auto const deep = ceil_divide(kernel_.depth * taps_, block_depth);
  channels_ = ceil_divide(kernel_.depth, deep);
  tile_ = tile_columns<T> * channels_ * taps_;
  packed_ = round_up(kernel_.packed_elements(pass_), 16);
  blocks_ = ceil_divide(columns_.registers(), block_tiles * tile_vectors);
  widest_ = ceil_divide(columns_.registers(), blocks_);
  auto const rows_for = [&](std::int64_t parts) {
    return round_up(ceil_divide(kernel_.rows, parts), kernel_.height);
  };
  row_blocks_ = ceil_divide(kernel_.rows, most_rows);
  while (tasks() < enough_tasks * ThreadTeam::size() &&
         rows_for(row_blocks_ + 1) >= least_task_rows)
    ++row_blocks_;
  task_rows_ = rows_for(row_blocks_);
  row_blocks_ = ceil_divide(kernel_.rows, task_rows_);
}

template <class T>
std::int64_t Im2colPass<T>::tasks() const {
  return (columns_.separate() ? geometry_.samples : 1) * geometry_.groups * blocks_ * row_blocks_;
}

template <class T>
typename Im2colPass<T>::Task Im2colPass<T>::task_of(std::int64_t number) const {
  auto const part = number % row_blocks_, block = number / row_blocks_ % blocks_;
  auto const rest = number / row_blocks_ / blocks_;
  auto const registers = columns_.registers();
  return {rest % geometry_.groups,     rest / geometry_.groups,
          registers * block / blocks_, registers * (block + 1) / blocks_,
          part * task_rows_,           std::min((part + 1) * task_rows_, kernel_.rows)};
}

template <class T>
std::int64_t Im2colPass<T>::slot_elements(bool separate) const {
  bool const in_place = !separate && whole_ && columns_.separate();
  auto const columns = ceil_divide(widest_, tile_vectors) * tile_;
  return round_up(columns + (in_place ? 0 : task_rows_ * widest_ * lanes<T>), 64);
}

/// The channels of a task's group in its sample.
template <class T>
T const* Im2colPass<T>::channels_of(Task const& task, T const* source) const {
  return source + (task.sample * geometry_.groups + task.group) * kernel_.depth * source_entries_;
}

/// What the columns of a task see of the channels multiplied at a time, from channel `first` on.
template <class T>
BlockPrefetch<T> Im2colPass<T>::prefetch_of(Task const& task, T const* source, std::int64_t first,
                                            std::int64_t portions) const {
  auto const channels = std::min(channels_, kernel_.depth - first);
  T const* const begin = channels_of(task, source) + first * source_entries_;
  if (columns_.separate()) {
    auto const entry = [&](std::int64_t column) {
      return source_entries_ * column / columns_.registers();
    };
    return {begin + entry(task.first), channels, entry(task.end) - entry(task.first),
            source_entries_, portions};
  }
  auto const sample = task.first * lanes<T> / positions_;
  auto const end = std::min(ceil_divide(task.end * lanes<T>, positions_), geometry_.samples);
  auto const pitch = geometry_.groups * kernel_.depth * source_entries_;
  return {begin + sample * pitch, end - sample, channels * source_entries_, pitch, portions};
}

/// Rows of a task times its columns. Meanwhile what `next` sees is prefetched.
template <class T>
void Im2colPass<T>::multiply(Task const& task, Task const& next, T const* source, T const* packed,
                             T* columns, Rows to) const {
  auto const registers = task.end - task.first, tiles = ceil_divide(registers, tile_vectors);
  auto const begin_of = [&](std::int64_t tile) { return registers * tile / tiles; };
  auto const height = kernel_.height, depth = kernel_.depth;
  for (std::int64_t c = 0; c < depth; c += channels_) {
    auto const channels = std::min(channels_, depth - c);
    for (std::int64_t tile = 0; tile < tiles; ++tile)
      columns_.pack(channels_of(task, source) + c * source_entries_, source_entries_, channels,
                    task.first + begin_of(tile), begin_of(tile + 1) - begin_of(tile),
                    columns + tile * tile_);
    auto const portions = tiles * ceil_divide(task.row_end - task.row, height);
    auto ahead = c + channels < depth ? prefetch_of(task, source, c + channels, portions)
                                      : prefetch_of(next, source, 0, portions);
    for (auto row = task.row; row < task.row_end; row += height) {
      T const* const left = packed + (row * depth + c * height) * taps_;
      for (std::int64_t tile = 0; tile < tiles; ++tile) {
        auto const first = begin_of(tile) * lanes<T>, end = begin_of(tile + 1) * lanes<T>;
        TileTarget<T> const target{to.begin + (row - task.row) * to.leading + first, to.leading,
                                   static_cast<int>(std::min(height, task.row_end - row)),
                                   static_cast<int>(std::min(end, to.columns) - first), c != 0};
        if (c == 0) prefetch_for_writing(target);
        ahead.prefetch_portion();
        run_microkernel<T>(height, left, columns + tile * tile_, PackedRows{tile_columns<T>},
                           channels * taps_, target);
      }
    }
  }
}

/// Moves sums to their samples in `result`, if there is one and they do not lie there already, and
/// runs the epilogue on them.
template <class T>
void Im2colPass<T>::finish(Task const& task, T const* sums, T* result,
                           MapEngine const* epilogue) const {
  auto const leading = (task.end - task.first) * lanes<T>;
  bool const separate = columns_.separate();
  auto const last = separate ? positions_ : geometry_.samples * positions_;
  auto const begin = task.first * lanes<T>, end = std::min(task.end * lanes<T>, last);
  for (auto column = begin; column < end;) {
    auto const sample = separate ? task.sample : column / positions_;
    auto const position = separate ? column : column % positions_;
    auto const count = std::min(positions_ - position, end - column);
    for (auto row = task.row; row < task.row_end; ++row) {
      auto const channel = (sample * geometry_.groups + task.group) * kernel_.rows + row;
      auto const at = channel * positions_ + position;
      T const* product =
          sums == nullptr ? result + at : sums + (row - task.row) * leading + column - begin;
      if (!whole_) {
        spread(pass_, extents_, product, position, count,
               result + channel * extents_[0] * extents_[1] * extents_[2]);
        continue;
      }
      if (sums != nullptr && result != nullptr) {
        std::copy_n(product, count, result + at);
        product = result + at;
      }
      if (epilogue != nullptr) epilogue->run(at, at + count, product);
    }
    column += count;
  }
}

template <class T>
void Im2colPass<T>::run(std::int64_t number, T const* source, T const* packed, T* result, T* slot,
                        MapEngine const* epilogue) const {
  auto const groups = geometry_.groups;
  auto const task = task_of(number), next = task_of(std::min(number + 1, tasks() - 1));
  bool const in_place = result != nullptr && whole_ && columns_.separate();
  auto const row = (task.sample * groups + task.group) * kernel_.rows + task.row;
  auto const first = task.first * lanes<T>, count = task.end * lanes<T> - first;
  Rows const to = in_place ? Rows{result + row * positions_ + first, positions_,
                                  std::min(count, positions_ - first)}
                           : Rows{slot + ceil_divide(widest_, tile_vectors) * tile_, count, count};
  auto const of_group = kernel_.packed_elements(pass_) / groups;
  multiply(task, next, source, packed + task.group * of_group, slot, to);
  if (!in_place || epilogue != nullptr)
    finish(task, in_place ? nullptr : to.begin, result, epilogue);
}

template class Im2colPass<float>;
template class Im2colPass<double>;

}  // namespace lbann::kernels::host
