// The loops around the microkernel. Packing takes a tenth of a product's time or more where each
// packed element is used a few times only, so what a task has packed is kept for those after it.
#include "kernels/host/products/gemm.hpp"

#include "kernels/host/products/block_prefetch.hpp"
#include "kernels/shapes/division.hpp"
#include "kernels/tasks.hpp"

namespace lbann::kernels::host {

namespace {

/// Packed columns of a register tile and a block of its rows stay in the first-level cache.
constexpr std::int64_t block_depth = 192;
constexpr std::int64_t widest_tile = 384, highest_tile = 128;
/// Rows of a task, and elements of columns packed at a time, for a product that no output holds and
/// whose inner extent is one block. Its epilogue reads and writes whole matrices: in narrow tiles
/// each row of a tile would lie in another page of memory. Columns stay packed for the tasks that
/// follow, so a task may have few rows.
constexpr std::int64_t row_height = 8, row_elements = 1 << 18;
/// Elements of packed columns that are kept for other tasks.
constexpr std::int64_t kept_elements = 3 << 17;
/// Elements of rows packed at a time, unless a single task needs more.
constexpr std::int64_t packed_elements = 1 << 20;
/// Work worth a task of its own, and how many tasks are enough on a few threads.
constexpr double task_flops = 2e6;
constexpr std::int64_t enough_tasks = 16;
/// Elements that one thread packs sooner than several.
constexpr std::int64_t packed_alone = 16384;
/// Right factors larger than this do not stay in a core's caches and are prefetched.
constexpr std::int64_t prefetched_bytes = 1 << 20;
/// Rows of a product that is summed in halves: at most this part of the inner extent, so that sums
/// are little beside the right factor, which has more than `prefetched_bytes`.
constexpr std::int64_t rows_of_inner = 4;

/// Of rows [k, k + depth) and columns [j, j + width) of `b`.
template <class T>
BlockPrefetch<T> prefetch_of(StridedMatrix<T> b, std::int64_t k, std::int64_t depth, std::int64_t j,
                             std::int64_t width, std::int64_t portions) {
  if (b.column == 1) return {b.at(k, j), depth, width, b.row, portions};
  return {b.at(k, j), width, depth, b.column, portions};
}

}  // namespace

std::int64_t GemmTiling::slot() const { return round_up(packed_columns + packed_rows + tile, 64); }

std::int64_t GemmTiling::part() const { return round_up(ceil_divide(inner, parts), 8); }

std::int64_t GemmTiling::workers() const {
  auto const down = ceil_divide(chunk, tile_height), across = ceil_divide(columns, tile_width);
  return workers_for(owns_rows ? down : down * across * parts);
}

std::int64_t GemmTiling::scratch() const {
  return shared + workers() * slot() + (parts > 1 ? rows * columns : 0);
}

template <class T>
bool sums_halves(StridedMatrix<T> const& b, std::int64_t rows, std::int64_t inner,
                 std::int64_t columns) {
  return b.column == 1 && rows_of_inner * rows <= inner && inner >= 2 * block_depth &&
         inner * columns * static_cast<std::int64_t>(sizeof(T)) > prefetched_bytes;
}

template <class T>
GemmTiling gemm_tiling(std::int64_t rows, std::int64_t inner, std::int64_t columns, bool separate,
                       bool halves) {
  GemmTiling t{rows, inner, columns};
  t.parts = halves && !separate ? 2 : 1;
  auto const part = ceil_divide(inner, t.parts);
  auto const blocks = std::max<std::int64_t>(ceil_divide(part, block_depth), 1);
  t.depth = std::max<std::int64_t>(round_up(ceil_divide(part, blocks), 8), 8);
  auto const flops =
      2.0 * static_cast<double>(rows) * static_cast<double>(inner) * static_cast<double>(columns);
  auto const enough = round_up(enough_tasks, ThreadTeam::size());
  auto const wanted =
      std::min(flops / task_flops, static_cast<double>(enough)) / static_cast<double>(t.parts);
  auto height_of = [&](std::int64_t parts) {
    return std::max<std::int64_t>(round_up(ceil_divide(rows, parts), tile_rows), tile_rows);
  };
  auto width_of = [&](std::int64_t parts) {
    return std::max<std::int64_t>(round_up(ceil_divide(columns, parts), lanes<T>), lanes<T>);
  };
  std::int64_t down = std::max<std::int64_t>(ceil_divide(rows, highest_tile), 1);
  std::int64_t across = std::max<std::int64_t>(ceil_divide(columns, widest_tile), 1);
  while (static_cast<double>(down * across) < wanted) {
    // Tiles as wide as the product are finished in one piece.
    bool const keep_width = across == 1 && height_of(down) > tile_rows;
    if (!keep_width &&
        (width_of(across) >= 2 * tile_columns<T> || width_of(across) >= height_of(down)))
      ++across;
    else
      ++down;
    if (width_of(across) == lanes<T> && height_of(down) == tile_rows) break;
  }
  bool const whole_rows = separate && inner <= block_depth && wanted >= 2;
  if (whole_rows) {
    down = std::max<std::int64_t>(ceil_divide(rows, row_height), 1);
    across = std::max<std::int64_t>(ceil_divide(columns * inner, row_elements), 1);
  }
  t.tile_height = height_of(down);
  t.tile_width = width_of(across);
  // Less deep products take longer to write than to pack, and are written row by row.
  t.keeps_columns = whole_rows || (t.parts == 1 && down > 1 && inner >= t.tile_height &&
                                   t.tile_width * inner <= kept_elements);
  // Tasks whose rows are packed at a time.
  auto const packed =
      std::max(packed_elements / std::max<std::int64_t>(inner, 1) / t.tile_height, std::int64_t{1});
  bool const packs_in_tasks = across == 1;
  // What a thread does for some rows, it finds in its core's caches: rows of the left factor that
  // it computed before, and those of the result later. Each thread packs all columns then, which
  // pays unless rows are few.
  t.owns_rows = t.parts == 1 &&
                std::min(down, packs_in_tasks ? down : packed) >= ThreadTeam::size() &&
                (whole_rows || 2 * rows >= columns);
  t.chunk = round_up(std::max<std::int64_t>(rows, 1), t.tile_height);
  if (t.owns_rows && packs_in_tasks) {
    t.packed_rows = t.tile_height * t.depth;
  } else {
    t.chunk = std::min(t.chunk, packed * t.tile_height);
    t.shared = round_up(t.chunk * inner, 64);
  }
  t.packed_columns = round_up(t.tile_width, tile_columns<T>) *
                     (t.keeps_columns ? round_up(inner, t.depth) : t.depth);
  t.tile = separate ? t.tile_width * t.tile_height : 0;
  return t;
}

template <class T>
void Gemm<T>::run() const {
  auto const& t = tiling;
  if (t.rows == 0 || t.columns == 0) return;
  for (std::int64_t first = 0; first < t.rows; first += t.chunk) {
    auto const count = std::min(t.chunk, t.rows - first);
    if (t.owns_rows)
      run_owned_rows(first, count);
    else
      run_shared_rows(first, count);
  }
  if (t.parts > 1) add_parts();
}

template <class T>
T* Gemm<T>::second_part() const {
  return scratch + tiling.shared + tiling.workers() * tiling.slot();
}

template <class T>
void Gemm<T>::add_parts() const {
  auto const& t = tiling;
  auto const* const second = second_part();
  for_each_task(ceil_divide(t.columns, t.tile_width), [&](std::int64_t task, std::int64_t) {
    auto const begin = task * t.tile_width, end = std::min(begin + t.tile_width, t.columns);
    for (std::int64_t row = 0; row < t.rows; ++row) {
      T* const to = result + row * t.columns;
      T const* const from = second + row * t.columns;
#pragma omp simd
      for (auto column = begin; column < end; ++column) to[column] += from[column];
    }
    if (epilogue != nullptr) epilogue->run_panel(0, t.rows, begin, end, result + begin, t.columns);
  });
}

/// `count` rows from row `first`, for each worker some of them and all columns.
template <class T>
void Gemm<T>::run_owned_rows(std::int64_t first, std::int64_t count) const {
  auto const& t = tiling;
  auto const down = ceil_divide(count, t.tile_height);
  auto const across = ceil_divide(t.columns, t.tile_width);
  auto const workers = workers_for(down);
  ThreadTeam::for_each_part(workers, [&](std::int64_t worker) {
    auto const begin = down * worker / workers, end = down * (worker + 1) / workers;
    T* const slot = scratch + t.shared + worker * t.slot();
    auto const run_tile = [&](std::int64_t i, std::int64_t j) {
      auto const row = i * t.tile_height;
      run_task({first + row, std::min(t.tile_height, count - row), j * t.tile_width,
                t.shared == 0 ? nullptr : scratch + row * t.inner, j != 0,
                t.keeps_columns && i != begin},
               slot);
    };
    if (t.keeps_columns)
      for (std::int64_t j = 0; j < across; ++j)
        for (auto i = begin; i < end; ++i) run_tile(i, j);
    else
      for (auto i = begin; i < end; ++i)
        for (std::int64_t j = 0; j < across; ++j) run_tile(i, j);
  });
}

/// The same in tasks of any rows and columns, whose rows are packed before.
template <class T>
void Gemm<T>::run_shared_rows(std::int64_t first, std::int64_t count) const {
  auto const& t = tiling;
  auto const pack = [&](std::int64_t begin, std::int64_t end) {
    pack_left_panels(a, first + begin, end - begin, 0, t.inner, scratch + begin * t.inner);
  };
  if (count * t.inner < packed_alone)
    pack(0, count);
  else
    for_each_task(ceil_divide(count, 4 * tile_rows), [&](std::int64_t task, std::int64_t) {
      pack(task * 4 * tile_rows, std::min((task + 1) * 4 * tile_rows, count));
    });

  auto const down = ceil_divide(count, t.tile_height);
  auto const across = ceil_divide(t.columns, t.tile_width);
  auto const tiles = down * across, tasks = tiles * t.parts, workers = workers_for(tasks);
  for_each_task(tasks, [&](std::int64_t number, std::int64_t worker) {
    auto const part = number / tiles, task = number % tiles;
    auto const row = (t.keeps_columns ? task % down : task / across) * t.tile_height;
    auto const column = (t.keeps_columns ? task / down : task % across) * t.tile_width;
    // By the task before, of the same worker and columns.
    bool const columns_packed =
        t.keeps_columns && task % down != 0 && task != tasks * worker / workers;
    run_task({first + row, std::min(t.tile_height, count - row), column, scratch + row * t.inner,
              true, columns_packed, part},
             scratch + t.shared + worker * t.slot());
  });
}

template <class T>
void Gemm<T>::run_task(Task const& task, T* slot) const {
  auto const& t = tiling;
  auto const [row, height, column, shared_rows, rows_packed, columns_packed, part] = task;
  auto const width = std::min(t.tile_width, t.columns - column);
  T* const own_rows = slot + t.packed_columns;
  T* const sums = part == 0 ? result : second_part();
  T* const tile = sums != nullptr ? sums + row * t.columns + column : own_rows + t.packed_rows;
  auto const leading = result != nullptr ? t.columns : width;
  auto const count = [&](std::int64_t j) {
    return static_cast<int>(std::min<std::int64_t>(tile_columns<T>, width - j));
  };
  bool const large = t.inner * t.columns * static_cast<std::int64_t>(sizeof(T)) > prefetched_bytes;
  bool const packs_rows = large && !moves_beside_products && b.column == 1;
  // Other columns that lie as the microkernel reads them are packed while the first rows are
  // multiplied, which hides the time until they have arrived.
  auto const packs_on_the_way = [&](std::int64_t j) {
    return !packs_rows && b.column == 1 && count(j) % lanes<T> == 0;
  };
  if (shared_rows != nullptr && !rows_packed)
    pack_left_panels(a, row, height, 0, t.inner, shared_rows);
  auto const begin = part * t.part(),
             end = t.parts == 1 ? t.inner : std::min(begin + t.part(), t.inner);
  for (auto k = begin; k < std::max<std::int64_t>(end, 1); k += t.depth) {
    auto const depth = std::min(t.depth, end - k);
    T* const columns = slot + (t.keeps_columns ? k * round_up(t.tile_width, tile_columns<T>) : 0);
    auto const packed = [&](std::int64_t j) { return columns + j * t.depth; };
    if (!columns_packed && packs_rows)
      pack_right_panels(b, k, depth, end, column, width, tile_columns<T> * t.depth, columns);
    else if (!columns_packed)
      for (std::int64_t j = 0; j < width; j += tile_columns<T>)
        if (!packs_on_the_way(j)) pack_right(b, k, depth, column + j, count(j), packed(j));
    auto const next = k + t.depth;
    bool const fetches = large && moves_beside_products && !columns_packed && next < end;
    auto ahead =
        fetches ? prefetch_of(b, next, std::min(t.depth, end - next), column, width,
                              ceil_divide(height, tile_rows) * ceil_divide(width, tile_columns<T>) *
                                  prefetched_portions(depth))
                : BlockPrefetch<T>();
    if (shared_rows == nullptr) pack_left_panels(a, row, height, k, depth, own_rows);
    // Rows outside: the result is written a few rows at a time, which spares the TLB.
    for (std::int64_t i = 0; i < height; i += tile_rows) {
      auto const rows_here = static_cast<int>(std::min<std::int64_t>(tile_rows, height - i));
      T const* const left =
          shared_rows == nullptr ? own_rows + i * depth : shared_rows + i * t.inner + k * tile_rows;
      for (std::int64_t j = 0; j < width; j += tile_columns<T>) {
        TileTarget<T> const to{tile + i * leading + j, leading, rows_here, count(j), k != begin};
        auto const multiply = [&](T const* right, auto rows) {
          if (fetches)
            run_microkernel<T, tile_rows>(
                left, right, BlockPrefetchingRows<T, decltype(rows)>{rows, &ahead}, depth, to);
          else if (next >= end && t.parts == 1 && !beside_product.empty())
            run_microkernel<T, tile_rows>(
                left, right, beside_product.rows(rows, task.row + i, task.column + j, depth), depth,
                to);
          else
            run_microkernel<T, tile_rows>(left, right, rows, depth, to);
        };
        if (i == 0 && !columns_packed && packs_on_the_way(j))
          multiply(b.at(k, column + j), PackingRows<T>{b.row, packed(j)});
        else
          multiply(packed(j), PackedRows{tile_columns<T>});
      }
    }
  }
  if (epilogue != nullptr && t.parts == 1)
    epilogue->run_panel(row, row + height, column, column + width, tile, leading);
}

template struct Gemm<float>;
template struct Gemm<double>;
template bool sums_halves(StridedMatrix<float> const&, std::int64_t, std::int64_t, std::int64_t);
template bool sums_halves(StridedMatrix<double> const&, std::int64_t, std::int64_t, std::int64_t);
template GemmTiling gemm_tiling<float>(std::int64_t, std::int64_t, std::int64_t, bool, bool);
template GemmTiling gemm_tiling<double>(std::int64_t, std::int64_t, std::int64_t, bool, bool);

}  // namespace lbann::kernels::host
