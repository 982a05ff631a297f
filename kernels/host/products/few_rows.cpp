// Register tiles of columns of the result and rows in their lanes.
#include "kernels/host/products/few_rows.hpp"

#include <algorithm>

#include "kernels/host/products/packing.hpp"
#include "kernels/shapes/division.hpp"
#include "kernels/tasks.hpp"

namespace lbann::kernels::host {

namespace {

constexpr std::int64_t most_rows = 128;
/// Elements of the packed factor that are multiplied at a time: they stay in the second-level
/// cache.
constexpr std::int64_t block_elements = 1 << 16;
/// Columns of a task: whole cache lines of the result, and as many as sums stay in a core's cache
/// for. Epilogues take time for each row of a tile.
constexpr std::int64_t least_width = 16, widest = 128;
/// Work worth a task of its own, and elements worth packing on all threads.
constexpr double task_flops = 2e6;
constexpr std::int64_t shared_packing = 1 << 15;

/// `for_each_task`, or on the calling thread alone.
template <class Body>
void for_each(std::int64_t tasks, bool is_serial, Body const& body) {
  if (!is_serial) return for_each_task(tasks, body);
  for (std::int64_t task = 0; task < tasks; ++task) body(task, 0);
}

}  // namespace

template <class T>
bool FewRowsProduct<T>::suits(StridedMatrix<T> const& a, StridedMatrix<T> const& b,
                              std::int64_t rows, std::int64_t inner, std::int64_t columns) {
  return a.column == 1 && b.row == 1 && rows > lanes<T> && rows <= most_rows &&
         columns >= tile_rows && inner > 0;
}

template <class T>
FewRowsProduct<T>::FewRowsProduct(std::int64_t rows, std::int64_t inner, std::int64_t columns)
    : rows_(rows), inner_(inner), columns_(columns) {
  // As wide as register tiles, but no last group of a single register, which would leave the FMA
  // units waiting for their own results: 64 rows are twice 32, not 48 and 16.
  auto left = round_up(rows, lanes<T>);
  while (left > 0) {
    auto const width = left == tile_columns<T> + lanes<T>
                           ? 2 * lanes<T>
                           : std::min<std::int64_t>(left, tile_columns<T>);
    groups_.push_back({lanes_, width});
    lanes_ += width;
    left -= width;
  }
  depth_ = std::min(std::max(block_elements / lanes_, std::int64_t{64}), inner);
  auto const flops =
      2.0 * static_cast<double>(rows) * static_cast<double>(inner) * static_cast<double>(columns);
  is_serial_ = flops < 2 * task_flops;
  auto const threads = ThreadTeam::size();
  auto const parts =
      is_serial_
          ? 1
          : std::min(round_up(static_cast<std::int64_t>(flops / task_flops), threads), 2 * threads);
  task_width_ = std::clamp(round_up(ceil_divide(columns, parts), least_width), least_width, widest);
}

template <class T>
std::int64_t FewRowsProduct<T>::scratch_elements(bool separate) const {
  auto const tile = separate ? task_width_ * rows_ : 0;
  auto const slot = (task_width_ + tile_rows) * lanes_ + tile;
  auto const workers = is_serial_ ? 1 : workers_for(ceil_divide(columns_, task_width_));
  return inner_ * lanes_ + workers * round_up(slot, 64);
}

/// Groups of rows one after another, each [inner][row].
template <class T>
void FewRowsProduct<T>::lay_out(StridedMatrix<T> a, T* to) const {
  constexpr std::int64_t part = 16 * lanes<T>;
  auto const parts = ceil_divide(inner_, part), groups = static_cast<std::int64_t>(groups_.size());
  auto const lay_out_part = [&](std::int64_t task, std::int64_t) {
    auto const& group = groups_[static_cast<std::size_t>(task / parts)];
    auto const first = task % parts * part, count = std::min(part, inner_ - first);
    auto const rows = std::min(group.width, rows_ - group.begin);
    T* const begin = to + group.begin * inner_ + first * group.width;
    transpose(a.at(group.begin, first), a.row, rows, count, begin, group.width);
    if (rows < group.width)
      for (std::int64_t i = 0; i < count; ++i)
        std::fill(begin + i * group.width + rows, begin + (i + 1) * group.width, T(0));
  };
  for_each(groups * parts, inner_ * lanes_ < shared_packing, lay_out_part);
}

/// sums[column][row of c] of `count` columns.
template <class T>
void FewRowsProduct<T>::multiply(T const* laid_out, StridedMatrix<T> b, std::int64_t column,
                                 std::int64_t count, T* sums) const {
  auto const multiply_tile = [&](std::int64_t at, std::int64_t k) {
    auto const depth = std::min(depth_, inner_ - k);
    for (auto const& group : groups_)
      run_microkernel<T, tile_rows>(
          StridedLeft<T>(b.at(k, at), b.column), laid_out + group.begin * inner_ + k * group.width,
          PackedRows{group.width}, depth,
          TileTarget<T>{sums + (at - column) * lanes_ + group.begin, lanes_, tile_rows,
                        static_cast<int>(group.width), k != 0});
  };
  auto const whole = count / tile_rows * tile_rows;
  for (std::int64_t k = 0; k < inner_; k += depth_)
    for (std::int64_t i = 0; i < whole; i += tile_rows) multiply_tile(column + i, k);
  // What is left is a tile that ends with the last column. It computes some columns again, after
  // all blocks of theirs.
  for (std::int64_t k = 0; k < inner_ && whole < count; k += depth_)
    multiply_tile(columns_ - tile_rows, k);
}

template <class T>
void FewRowsProduct<T>::run(StridedMatrix<T> a, StridedMatrix<T> b, T* result, T* scratch,
                            MapEngine const* epilogue) const {
  T* const laid_out = scratch;
  T* const slots = laid_out + inner_ * lanes_;
  auto const sums_size = (task_width_ + tile_rows) * lanes_;
  auto const slot = round_up(sums_size + (result == nullptr ? task_width_ * rows_ : 0), 64);
  lay_out(a, laid_out);
  auto const run_task = [&](std::int64_t task, std::int64_t worker) {
    auto const column = task * task_width_, count = std::min(task_width_, columns_ - column);
    T* const before = slots + worker * slot;
    T* const sums = before + tile_rows * lanes_;
    multiply(laid_out, b, column, count, sums);
    T* const tile = result != nullptr ? result + column : before + sums_size;
    auto const leading = result != nullptr ? columns_ : count;
    transpose(sums, lanes_, count, rows_, tile, leading);
    if (epilogue != nullptr) epilogue->run_panel(0, rows_, column, column + count, tile, leading);
  };
  for_each(ceil_divide(columns_, task_width_), is_serial_, run_task);
}

template class FewRowsProduct<float>;
template class FewRowsProduct<double>;

}  // namespace lbann::kernels::host
