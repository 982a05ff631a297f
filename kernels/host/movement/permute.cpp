// CPU kernel of permute: copies of runs, or transposes by tiles.
#include <type_traits>

#include "kernels/element_types.hpp"
#include "kernels/host/functor_kernel.hpp"
#include "kernels/host/non_temporal.hpp"
#include "kernels/host/products/packing.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/shapes/permuted_axes.hpp"

namespace lbann::kernels::host {

namespace {

/// The last axis stays the last: runs of it are copied, about so many elements at once.
constexpr std::int64_t run_elements = 8192;

template <class Unit>
struct PermuteRuns {
  Unit const* x;
  Unit* y;
  PermutedAxes axes;
  std::int64_t block, blocks;  ///< runs at once, of all

  void operator()(std::int64_t index) const {
    std::int64_t const length = axes.extents[axes.rank - 1];
    std::int64_t const runs = axes.elements / length;
    std::int64_t const last = (index + 1) * block < runs ? (index + 1) * block : runs;
    int const inner = axes.rank - 2;  // the axis along which runs follow one another
    std::int64_t const extent = inner < 0 ? 1 : axes.extents[inner];
    std::int64_t const step = inner < 0 ? 0 : axes.steps[inner];
    for (std::int64_t run = index * block; run < last;) {
      std::int64_t const rest = extent - run % extent;
      std::int64_t const count = rest < last - run ? rest : last - run;
      Unit const* from = x + axes.source(run, axes.rank - 1);
      Unit* to = y + run * length;
      for (std::int64_t r = 0; r < count; ++r, from += step, to += length)
        for (std::int64_t i = 0; i < length; ++i) to[i] = from[i];
      run += count;
    }
  }
};

/// Tiles of the plane of the axes that are last in the input and in the output: blocks of them
/// become columns in registers, so that whole cache lines are read and whole ones written.
template <class Unit>
struct PermuteTiles {
  Unit const* x;
  Unit* y;
  PermutedAxes axes;                     ///< but these two
  std::int64_t rows, columns;            ///< extents: last axis of the input, of the output
  std::int64_t row_step, column_step;    ///< of the first in y, of the second in x
  std::int64_t tile_rows, tile_columns;  ///< extents of a tile
  std::int64_t row_tiles, column_tiles;
  bool non_temporal;  ///< y is large, and its rows are aligned to whole registers

  void operator()(std::int64_t index) const {
    // One tile follows the other along the side that is read, or written, in longer runs.
    std::int64_t const tiles = row_tiles * column_tiles, outer = index / tiles,
                       tile = index % tiles;
    std::int64_t const column =
        (non_temporal ? tile / row_tiles : tile % column_tiles) * tile_columns;
    std::int64_t const row = (non_temporal ? tile % row_tiles : tile / column_tiles) * tile_rows;
    std::int64_t const height = row + tile_rows < rows ? tile_rows : rows - row;
    std::int64_t const width = column + tile_columns < columns ? tile_columns : columns - column;
    turn(x + axes.source(outer, axes.rank) + column * column_step + row, width, height,
         y + axes.destination(outer, axes.rank) + row * row_step + column);
  }

 private:
  /// `width` runs of `height` elements.
  void turn(Unit const* from, std::int64_t width, std::int64_t height, Unit* to) const {
    if constexpr (sizeof(Unit) >= 4) {
      // Bits move; the type is that of registers with as many lanes.
      using Lane = std::conditional_t<sizeof(Unit) == 4, float, double>;
      auto const* const x_lanes = reinterpret_cast<Lane const*>(from);
      auto* const y_lanes = reinterpret_cast<Lane*>(to);
      bool const whole = non_temporal && width % lanes<Lane> == 0;
      auto const stored = whole ? height - height % lanes<Lane> : 0;
      if (stored > 0) turn_non_temporal(x_lanes, width, stored, y_lanes);
      if (stored < height)
        transpose(x_lanes + stored, column_step, width, height - stored,
                  y_lanes + stored * row_step, row_step);
    } else {
      for (std::int64_t r = 0; r < height; ++r)
        for (std::int64_t c = 0; c < width; ++c) to[r * row_step + c] = from[c * column_step + r];
    }
  }

  /// The same in whole blocks, by non-temporal stores.
  template <class Lane>
  void turn_non_temporal(Lane const* from, std::int64_t width, std::int64_t height,
                         Lane* to) const {
    constexpr int n = lanes<Lane>;
    for (std::int64_t r = 0; r < height; r += n)
      for (std::int64_t c = 0; c < width; c += n) {
        Vector<Lane> block[n];
#pragma GCC unroll 16
        for (int i = 0; i < n; ++i) block[i] = load_vector(from + (c + i) * column_step + r);
        interleave<Lane, n>(block);
#pragma GCC unroll 16
        for (int i = 0; i < n; ++i) store_non_temporal(to + (r + i) * row_step + c, block[i]);
      }
    store_fence();
  }
};

/// With non-temporal stores tiles are two cache lines of each row of y, read from few long runs of
/// x, which hardware prefetchers follow. Else they are square, or long where the other side is
/// short.
template <class Unit>
void shape_tiles(PermuteTiles<Unit>& tiles) {
  constexpr std::int64_t side = 64, most = 4 * side * side;
  constexpr auto two_lines = std::int64_t{128 / sizeof(Unit)};
  if (tiles.non_temporal) {
    tiles.tile_columns = std::min(tiles.columns, two_lines);
  } else {
    tiles.tile_columns =
        std::min(tiles.columns, std::max(side, most / std::max<std::int64_t>(1, tiles.rows)));
    if (tiles.columns > tiles.tile_columns) tiles.tile_columns -= tiles.tile_columns % side;
  }
  tiles.tile_rows = std::min(tiles.rows, most / tiles.tile_columns);
  tiles.row_tiles = (tiles.rows + tiles.tile_rows - 1) / tiles.tile_rows;
  tiles.column_tiles = (tiles.columns + tiles.tile_columns - 1) / tiles.tile_columns;
}

template <class Unit>
std::unique_ptr<Kernel> bind_tiles(Unit const* x, Unit* y, PermutedAxes const& axes, double cost) {
  PermuteTiles<Unit> tiles{x, y, {}, 0, 0, 0, 0, 0, 0, 0, 0, false};
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
  tiles.non_temporal = takes_non_temporal_stores(y, axes.elements, tiles.row_step);
  for (int axis = 0; axis < tiles.axes.rank; ++axis)
    tiles.non_temporal =
        tiles.non_temporal && takes_non_temporal_stores(y, axes.elements, tiles.axes.places[axis]);
  shape_tiles(tiles);
  return functor_kernel(tiles.axes.elements * tiles.row_tiles * tiles.column_tiles, cost, tiles);
}

}  // namespace

Implementation permute_kernel() {
  return {"host", [](Call const&) { return true; },
          [](Call const& call) -> std::unique_ptr<Kernel> {
            auto const &x = call.inputs[0], &y = call.outputs[0];
            auto const axes = permuted_axes(x, operator_of<operators::permute>(call).axes);
            auto const cost = static_cast<double>(axes.elements);
            return with_unit(bytes_of(x.type), [&](auto unit) -> std::unique_ptr<Kernel> {
              using Unit = decltype(unit);
              auto const* from = x.as<Unit>();
              auto* const to = y.as<Unit>();
              if (axes.elements == 0)
                return functor_kernel(0, 0, PermuteRuns<Unit>{from, to, axes, 0, 0});
              int const last = axes.rank - 1;
              if (axes.steps[last] != 1) return bind_tiles(from, to, axes, cost);
              auto const length = axes.extents[last];
              auto const block = std::max<std::int64_t>(1, run_elements / length);
              auto const blocks = (axes.elements / length + block - 1) / block;
              return functor_kernel(blocks, cost, PermuteRuns<Unit>{from, to, axes, block, blocks});
            });
          }};
}

}  // namespace lbann::kernels::host
