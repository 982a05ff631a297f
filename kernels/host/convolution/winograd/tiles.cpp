// Along rows, what neighbouring tiles see overlaps and is shuffled; along columns tiles of all rows
// fill registers.
#include "kernels/host/convolution/winograd/tiles.hpp"

#include <algorithm>
#include <utility>

#include "kernels/shapes/division.hpp"

namespace lbann::kernels::host::winograd {

namespace {

using V = Vector<float>;
constexpr std::int64_t width = lanes<float>;
/// Columns of a block along one axis: one register more than tiles, since registers are stored
/// whole wherever a tile is.
constexpr std::int64_t columns = tile_columns<float> + width;

/// Tiles whose `extent` entries along an axis lie in two registers.
template <int extent>
constexpr std::int64_t tiles_of_two = (2 * width - extent) / tile_extent + 1;
/// Lane i of two registers' entries is the first one of tile i, the second one, ...
template <int number>
struct EntryOfTiles {
  template <class T>
  struct Order {
    static constexpr int at(int i) {
      return std::min<int>(tile_extent * i + number, 2 * width - 1);
    }
  };
};

void transform(V const (&d)[point_extent], V (&v)[point_extent]) { transform_source(d, v); }
void transform(V const (&d)[tile_extent], V (&v)[point_extent]) { transform_gradient(d, v); }

/// Of the `entries` of a line those from `begin` on, at all points along it: of `tiles_of_two`
/// tiles to[point * columns + tile], in whole registers. Those `ahead` are prefetched.
template <int extent>
void transform_line(float const* line, std::int64_t entries, std::int64_t begin, std::int64_t ahead,
                    float* to) {
  auto const load = [&](std::int64_t from) {
    __builtin_prefetch(line + from + ahead);
    return LaneRange<float>(-from, entries - from).load(line + from);
  };
  V const a = load(begin), b = load(begin + width);
  V d[extent], v[point_extent];
  [&]<int... i>(std::integer_sequence<int, i...>) {
    ((d[i] = shuffle<EntryOfTiles<i>::template Order, float>(a, b)), ...);
  }(std::make_integer_sequence<int, extent>());
  transform(d, v);
#pragma GCC unroll 6
  for (int j = 0; j < point_extent; ++j) store_vector(to + j * columns, v[j]);
}

/// Results that lie side by side, until the epilogue takes them.
class Pending {
 public:
  explicit Pending(MapEngine const* epilogue) : epilogue_(epilogue) {}

  /// Room for results that begin at `at`, in whole registers.
  float* append(std::int64_t at, std::int64_t count) {
    if (at != begin_ + count_ || count_ + count > most) flush();
    if (count_ == 0) begin_ = at;
    count_ += count;
    return results_ + count_ - count;
  }
  void flush() {
    if (count_ > 0) epilogue_->run(begin_, begin_ + count_, results_);
    count_ = 0;
  }

 private:
  static constexpr std::int64_t most = tile_extent * tile_extent * tile_columns<float>;
  MapEngine const* epilogue_;
  std::int64_t begin_ = 0, count_ = 0;
  float results_[most + tile_extent * width];
};

}  // namespace

bool applies(WindowGeometry const& g) {
  auto const &planes = g.axes[0], &rows = g.axes[1], &columns = g.axes[2];
  auto const plain = [](WindowAxis const& axis) {
    return axis.taps == tap_extent && axis.stride == 1 && axis.dilation == 1;
  };
  return g.groups == 1 && planes.from == 1 && planes.to == 1 && planes.taps == 1 && plain(rows) &&
         plain(columns);
}

Tiles::Tiles(std::int64_t samples, Image source, Image result, std::int64_t row_padding,
             std::int64_t column_padding)
    : source_(source),
      result_(result),
      row_padding_(row_padding),
      column_padding_(column_padding),
      down_(ceil_divide(result.rows, tile_extent)),
      across_(ceil_divide(result.columns, tile_extent)),
      count_(samples * down_ * across_) {}

Tiles::Run Tiles::run_of(std::int64_t tile, std::int64_t end) const {
  auto const column = tile % across_, row = tile / across_;
  return {row / down_, row % down_, column, std::min(across_ - column, end - tile)};
}

/// What tiles have of an image, `extent` entries along each axis, at all points.
template <int extent>
void Tiles::transform_entries(float const* channel, Image image, std::int64_t row_padding,
                              std::int64_t column_padding, std::int64_t sample_step,
                              std::int64_t first, std::int64_t count, float* to,
                              std::int64_t pitch) const {
  constexpr auto of_row = point_extent * columns;
  float rows[extent * of_row];
  for (auto end = first + count, tile = first; tile < end;) {
    auto const run = run_of(tile, end);
    for (int i = 0; i < extent; ++i) {
      float* const here = rows + i * of_row + tile - first;
      auto const y = tile_extent * run.row + i - row_padding;
      if (y < 0 || y >= image.rows) {
        for (int j = 0; j < point_extent; ++j) std::fill_n(here + j * columns, run.count, 0.0f);
        continue;
      }
      float const* const line = channel + run.sample * sample_step + y * image.columns;
      for (std::int64_t t = 0; t < run.count; t += tiles_of_two<extent>)
        transform_line<extent>(line, image.columns, tile_extent * (run.column + t) - column_padding,
                               image.entries(), here + t);
    }
    tile += run.count;
  }
  auto const registers = ceil_divide(count, width);
  if (auto const rest = registers * width - count; rest > 0)
    for (int i = 0; i < extent * point_extent; ++i)
      std::fill_n(rows + i * columns + count, rest, 0.0f);
  for (int j = 0; j < point_extent; ++j)
    for (std::int64_t r = 0; r < registers; ++r) {
      V d[extent], v[point_extent];
#pragma GCC unroll 6
      for (int i = 0; i < extent; ++i)
        d[i] = load_vector(rows + i * of_row + j * columns + r * width);
      transform(d, v);
#pragma GCC unroll 6
      for (int i = 0; i < point_extent; ++i)
        store_vector(to + (i * point_extent + j) * pitch + r * width, v[i]);
    }
}

void Tiles::transform_source(float const* source, std::int64_t sample_step, std::int64_t first,
                             std::int64_t count, float* to, std::int64_t pitch) const {
  transform_entries<point_extent>(source, source_, row_padding_, column_padding_, sample_step,
                                  first, count, to, pitch);
}

void Tiles::transform_gradient(float const* gradient, std::int64_t sample_step, std::int64_t first,
                               std::int64_t count, float* to, std::int64_t pitch) const {
  transform_entries<tile_extent>(gradient, result_, 0, 0, sample_step, first, count, to, pitch);
}

void Tiles::transform_result(float const* from, std::int64_t pitch, std::int64_t first,
                             std::int64_t count, float* result, std::int64_t at,
                             std::int64_t sample_step, MapEngine const* epilogue) const {
  constexpr auto of_row = point_extent * columns;
  float rows[tile_extent * of_row];
  for (int j = 0; j < point_extent; ++j)
    for (std::int64_t r = 0; r < ceil_divide(count, width); ++r) {
      V m[6], y[4];
#pragma GCC unroll 6
      for (int i = 0; i < point_extent; ++i)
        m[i] = load_vector(from + (i * point_extent + j) * pitch + r * width);
      winograd::transform_result(m, y);
#pragma GCC unroll 4
      for (int i = 0; i < tile_extent; ++i)
        store_vector(rows + i * of_row + j * columns + r * width, y[i]);
    }
  Pending pending(epilogue);
  for (auto end = first + count, tile = first; tile < end;) {
    auto const run = run_of(tile, end);
    auto const x = tile_extent * run.column, y = tile_extent * run.row;
    auto const existing = std::min(tile_extent * run.count, result_.columns - x);
    for (int i = 0; i < tile_extent && y + i < result_.rows; ++i) {
      float const* const products = rows + i * of_row + tile - first;
      auto const begin = at + run.sample * sample_step + (y + i) * result_.columns + x;
      float* const line = epilogue != nullptr ? pending.append(begin, existing) : result + begin;
      for (std::int64_t t = 0; t < run.count; t += width) {
        V m[6], values[4];
#pragma GCC unroll 6
        for (int j = 0; j < point_extent; ++j) m[j] = load_vector(products + j * columns + t);
        winograd::transform_result(m, values);
        interleave<float, tile_extent>(values);
#pragma GCC unroll 4
        for (int k = 0; k < tile_extent; ++k) {
          auto const done = tile_extent * t + k * width;
          if (epilogue != nullptr)
            store_vector(line + done, values[k]);
          else
            LaneRange<float>(0, existing - done).store(line + done, values[k]);
        }
      }
    }
    tile += run.count;
  }
  pending.flush();
}

}  // namespace lbann::kernels::host::winograd
