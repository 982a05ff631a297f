// Portable kernel of permute: copies of runs, or transposes by tiles.
#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/kokkos/indices.hpp"
#include "kernels/kokkos/permuted_axes.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::kokkos {

namespace {

/// The last axis stays the last: runs of it are copied, about so many elements at once.
constexpr std::int64_t run_elements = 8192;

template <class Unit>
struct PermuteRuns {
  Unit const* x;
  Unit* y;
  PermutedAxes axes;
  std::int64_t block, blocks;  ///< runs at once, of all

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    std::int64_t const length = axes.extents[axes.rank - 1];
    std::int64_t const runs = axes.elements / length;
    std::int64_t const last = (index + 1) * block < runs ? (index + 1) * block : runs;
    for (std::int64_t run = index * block; run < last; ++run) {
      Unit const* const from = x + axes.source(run, axes.rank - 1);
      Unit* const to = y + run * length;
      for (std::int64_t i = 0; i < length; ++i) to[i] = from[i];
    }
  }
};

/// Tiles of the plane of the axes that are last in the input and in the output, through memory of
/// the thread: whole cache lines are read and whole ones written.
template <class Unit>
struct PermuteTiles {
  static constexpr std::int64_t tile_elements = 1024;

  Unit const* x;
  Unit* y;
  PermutedAxes axes;           ///< the axis that is last in the input left out of the outer ones
  std::int64_t rows, columns;  ///< extents: last axis of the input, of the output
  std::int64_t row_step, column_step;    ///< of the first in y, of the second in x
  std::int64_t tile_rows, tile_columns;  ///< extents of a tile
  std::int64_t row_tiles, column_tiles;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    std::int64_t const column = index % column_tiles * tile_columns;
    std::int64_t const row = index / column_tiles % row_tiles * tile_rows;
    std::int64_t const outer = index / column_tiles / row_tiles;
    std::int64_t const height = row + tile_rows < rows ? tile_rows : rows - row;
    std::int64_t const width = column + tile_columns < columns ? tile_columns : columns - column;
    Unit const* const from = x + axes.source(outer, axes.rank) + column * column_step + row;
    Unit* const to = y + axes.destination(outer, axes.rank) + row * row_step + column;
    Unit tile[tile_elements];
    for (std::int64_t c = 0; c < width; ++c)
      for (std::int64_t r = 0; r < height; ++r) tile[r * width + c] = from[c * column_step + r];
    for (std::int64_t r = 0; r < height; ++r)
      for (std::int64_t c = 0; c < width; ++c) to[r * row_step + c] = tile[r * width + c];
  }
};

/// One element for each thread of a device.
template <class Unit>
struct PermuteElements {
  Unit const* x;
  Unit* y;
  PermutedAxes axes;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    y[index] = x[axes.source(index, axes.rank)];
  }
};

template <class Unit>
std::unique_ptr<Kernel> bind_tiles(Unit const* x, Unit* y, PermutedAxes const& axes, double cost) {
  PermuteTiles<Unit> tiles{x, y, {}, 0, 0, 0, 0, 0, 0, 0, 0};
  int const last = axes.rank - 1;
  for (int axis = 0; axis < last; ++axis) {
    if (axes.steps[axis] != 1) {
      tiles.axes.add(axes.extents[axis], axes.steps[axis], axes.places[axis]);
      continue;
    }
    tiles.rows = axes.extents[axis];
    tiles.row_step = axes.places[axis];
  }
  tiles.columns = axes.extents[last];
  tiles.column_step = axes.steps[last];
  // Square, or long where the other side is short.
  constexpr std::int64_t side = 32, most = PermuteTiles<Unit>::tile_elements;
  tiles.tile_columns =
      std::min(tiles.columns, std::max(side, most / std::max<std::int64_t>(1, tiles.rows)));
  tiles.tile_rows = std::min(tiles.rows, most / tiles.tile_columns);
  tiles.row_tiles = (tiles.rows + tiles.tile_rows - 1) / tiles.tile_rows;
  tiles.column_tiles = (tiles.columns + tiles.tile_columns - 1) / tiles.tile_columns;
  return functor_kernel(tiles.axes.elements * tiles.row_tiles * tiles.column_tiles, cost, tiles);
}

}  // namespace

Implementation permute_kernel() {
  return {"kokkos", [](Call const&) { return true; },
          [](Call const& call) -> std::unique_ptr<Kernel> {
            auto const &x = call.inputs[0], &y = call.outputs[0];
            auto const axes = permuted_axes(x, operator_of<operators::permute>(call).axes);
            auto const cost = static_cast<double>(axes.elements);
            return with_unit(bytes_of(x.type), [&](auto unit) -> std::unique_ptr<Kernel> {
              using Unit = decltype(unit);
              auto const* from = x.as<Unit>();
              auto* const to = y.as<Unit>();
              if (axes.elements == 0 || !on_host)
                return functor_kernel(axes.elements, cost, PermuteElements<Unit>{from, to, axes});
              int const last = axes.rank - 1;
              if (axes.steps[last] != 1) return bind_tiles(from, to, axes, cost);
              auto const length = axes.extents[last];
              auto const block = std::max<std::int64_t>(1, run_elements / length);
              auto const blocks = (axes.elements / length + block - 1) / block;
              return functor_kernel(blocks, cost, PermuteRuns<Unit>{from, to, axes, block, blocks});
            });
          }};
}

}  // namespace lbann::kernels::kokkos
