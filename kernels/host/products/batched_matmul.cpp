// CPU kernel of batched_matmul: a tile of one of the products for each task.
#include "kernels/host/map/engine.hpp"
#include "kernels/host/products/packing.hpp"
#include "kernels/host/sixteen_bit/matmul.hpp"
#include "kernels/host/sixteen_bit/product_implementation.hpp"
#include "kernels/map/epilogue.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/shapes/division.hpp"
#include "kernels/tasks.hpp"

namespace lbann::kernels::host {

namespace {

/// How the products are cut into tasks; follows from the extents alone.
template <class T>
struct PairTiling {
  static constexpr std::int64_t highest = 128, widest = 384, deepest = 192;
  /// Work worth a task of its own.
  static constexpr double task_flops = 2e5;

  std::int64_t height, width, depth;
  std::int64_t down, across;  ///< tiles of one product
  std::int64_t joined;        ///< tiles of one task

  explicit PairTiling(MatrixPairs<T> const& pairs) {
    height = std::clamp<std::int64_t>(pairs.rows, 1, highest);
    width = std::clamp<std::int64_t>(pairs.columns, 1, widest);
    depth = std::clamp<std::int64_t>(pairs.inner, 1, deepest);
    down = ceil_divide(pairs.rows, height);
    across = ceil_divide(pairs.columns, width);
    auto const flops =
        2.0 * static_cast<double>(height * width) * static_cast<double>(pairs.inner + 4);
    joined = std::max<std::int64_t>(static_cast<std::int64_t>(task_flops / flops), 1);
  }

  std::int64_t tiles(MatrixPairs<T> const& pairs) const { return pairs.count * down * across; }
  std::int64_t tasks(MatrixPairs<T> const& pairs) const {
    return ceil_divide(tiles(pairs), joined);
  }
  std::int64_t packed_rows() const { return ceil_divide(height, tile_rows) * tile_rows * depth; }
  std::int64_t packed_columns() const {
    return ceil_divide(width, tile_columns<T>) * tile_columns<T> * depth;
  }
  std::int64_t slot(bool separate) const {
    return packed_rows() + packed_columns() + (separate ? height * width : 0);
  }
};

template <class T>
class BatchedMatmul : public Kernel {
 public:
  explicit BatchedMatmul(Call const& call) : pairs_(call), tiling_(pairs_) {
    auto const& op = operator_of<operators::batched_matmul>(call);
    auto const type = call.inputs[0].type;
    auto const holder = holder_of_product(call, type);
    result_ = holder ? call.outputs[*holder].as<T>() : nullptr;
    scratch_ = reinterpret_cast<T*>(call.scratch.data());
    if (!op.epilogue.empty())
      epilogue_ = bind_epilogue<MapEngine>(op.epilogue, call, type, result_);
  }

  void run() override {
    if (pairs_.rows == 0 || pairs_.columns == 0) return;
    auto const tiles = tiling_.tiles(pairs_);
    for_each_task(tiling_.tasks(pairs_), [&](std::int64_t task, std::int64_t worker) {
      auto const end = std::min((task + 1) * tiling_.joined, tiles);
      T* const slot = scratch_ + worker * tiling_.slot(result_ == nullptr);
      for (auto tile = task * tiling_.joined; tile < end; ++tile) multiply(tile, slot);
    });
  }

  static bool fits(Call const& call) {
    auto const& epilogue = operator_of<operators::batched_matmul>(call).epilogue;
    if (!takes_product<MapEngine>(epilogue, call)) return false;
    MatrixPairs<T> const pairs(call);
    PairTiling<T> const tiling(pairs);
    bool const separate = !holder_of_product(call, call.inputs[0].type);
    auto const workers = std::min(ThreadTeam::size(), tiling.tasks(pairs));
    return static_cast<std::int64_t>(call.scratch.size()) >=
           workers * tiling.slot(separate) * static_cast<std::int64_t>(sizeof(T));
  }

 private:
  void multiply(std::int64_t number, T* left) const {
    auto const& t = tiling_;
    auto const matrix = number / (t.down * t.across), tile = number % (t.down * t.across);
    auto const row = tile / t.across * t.height, column = tile % t.across * t.width;
    auto const height = std::min(t.height, pairs_.rows - row);
    auto const width = std::min(t.width, pairs_.columns - column);
    auto a = pairs_.a, b = pairs_.b;
    a.data += matrix * pairs_.rows * pairs_.inner;
    b.data += matrix * pairs_.inner * pairs_.columns;
    auto const first = matrix * pairs_.rows + row;  // among the rows of all products
    T* const right = left + t.packed_rows();
    T* const to =
        result_ != nullptr ? result_ + first * pairs_.columns + column : right + t.packed_columns();
    auto const leading = result_ != nullptr ? pairs_.columns : width;

    for (std::int64_t k = 0; k < std::max<std::int64_t>(pairs_.inner, 1); k += t.depth) {
      auto const depth = std::min(t.depth, pairs_.inner - k);
      auto const count = [&](std::int64_t j) {
        return static_cast<int>(std::min<std::int64_t>(tile_columns<T>, width - j));
      };
      for (std::int64_t j = 0; j < width; j += tile_columns<T>)
        pack_right(b, k, depth, column + j, count(j), right + j * t.depth);
      for (std::int64_t i = 0; i < height; i += tile_rows) {
        auto const rows = std::min<std::int64_t>(tile_rows, height - i);
        auto const padded = panel_height(rows);
        T* const packed = left + i * t.depth;
        pack_left_panel(padded, a, row + i, rows, k, depth, packed);
        for (std::int64_t j = 0; j < width; j += tile_columns<T>)
          run_microkernel(padded, packed, right + j * t.depth, PackedRows{tile_columns<T>}, depth,
                          TileTarget<T>{to + i * leading + j, leading, static_cast<int>(rows),
                                        count(j), k != 0});
      }
    }
    if (epilogue_) epilogue_->run_panel(first, first + height, column, column + width, to, leading);
  }

  MatrixPairs<T> pairs_;
  PairTiling<T> tiling_;
  T* result_ = nullptr;
  T* scratch_ = nullptr;
  std::optional<MapEngine> epilogue_;
};

}  // namespace

Implementation batched_matmul_kernel() {
  return ProductImplementation<BatchedMatmul, sixteen_bit::takes_batched_matmul,
                               sixteen_bit::make_batched_matmul>::get();
}

}  // namespace lbann::kernels::host
