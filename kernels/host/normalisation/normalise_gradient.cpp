// CPU kernel of normalise_gradient: pieces of some rows in parallel. Sums over rows are taken in
// each piece, then over pieces in order, so that results do not depend on the number of threads.
#include <algorithm>

#include "kernels/host/functor_kernel.hpp"
#include "kernels/host/non_temporal.hpp"
#include "kernels/host/prefetch.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::host {

namespace {

/// See `normalise_gradient::scratch_bytes`.
constexpr std::int64_t most_pieces = 32;
/// Rows that make a piece worth adding up.
constexpr std::int64_t fewest_rows = 8;
/// Columns summed in T before they go on in double.
constexpr std::int64_t tile_columns = 512;

template <class T, bool scales, bool moves>
struct GradientPieces {
  T const *x, *means, *inverses, *dy, *scale;
  T* dx;
  double* partials;  ///< [piece][scale, then bias][column], of those there are
  std::int64_t rows, columns, piece_rows;
  bool non_temporal;  ///< dx is large, and its rows are aligned to whole registers

  double* partial(std::int64_t piece, bool of_bias) const {
    constexpr std::int64_t count = (scales ? 1 : 0) + (moves ? 1 : 0);
    return partials + (piece * count + (of_bias && scales ? 1 : 0)) * columns;
  }

  /// Sums over the columns of `height` rows, in registers, and over these rows of a tile's columns.
  template <int height>
  struct TileSums {
    Vector<T> means[height], inverses[height];
    Vector<T> gradients[height] = {}, products[height] = {};
    T of_scale[tile_columns + lanes<T>], of_bias[tile_columns + lanes<T>];
  };

  /// What columns from `at` on, as many as `load` reads, add to the sums of the tile at `begin`.
  template <int height, class Load>
  void add_columns(std::int64_t row, std::int64_t begin, std::int64_t at, Load const& load,
                   TileSums<height>& sums) const {
    Vector<T> of_scale{}, of_bias{}, factor{};
    if constexpr (scales) factor = load(scale + at);
#pragma GCC unroll 4
    for (int r = 0; r < height; ++r) {
      T const *const from = x + (row + r) * columns + at, *const g = dy + (row + r) * columns + at;
      if (row + r + height < rows) {  // the rows after these
        prefetch(from + height * columns, 1);
        prefetch(g + height * columns, 1);
      }
      Vector<T> const normal = (load(from) - sums.means[r]) * sums.inverses[r];
      Vector<T> gradient = load(g);
      if constexpr (moves) of_bias += gradient;
      if constexpr (scales) {
        of_scale += gradient * normal;
        gradient *= factor;
      }
      sums.gradients[r] += gradient;
      sums.products[r] += gradient * normal;
    }
    if constexpr (scales) store_vector(sums.of_scale + (at - begin), of_scale);
    if constexpr (moves) store_vector(sums.of_bias + (at - begin), of_bias);
  }

  template <int height>
  void run_rows(std::int64_t row, double* to_scale, double* to_bias) const {
    double totals[height] = {}, product_totals[height] = {};
    TileSums<height> sums;
    for (int r = 0; r < height; ++r) {
      sums.means[r] = broadcast(means[row + r]);
      sums.inverses[r] = broadcast(inverses[row + r]);
    }
    for (std::int64_t begin = 0; begin < columns; begin += tile_columns) {
      std::int64_t const end = begin + tile_columns < columns ? begin + tile_columns : columns;
      std::int64_t at = begin;
      for (; at + lanes<T> <= end; at += lanes<T>)
        add_columns<height>(
            row, begin, at, [](T const* from) { return load_vector(from); }, sums);
      if (at < end) {
        LaneRange<T> const rest(0, end - at);
        add_columns<height>(
            row, begin, at, [=](T const* from) { return rest.load(from); }, sums);
      }
      for (int r = 0; r < height; ++r) {
        totals[r] += static_cast<double>(sum_of_lanes<T>(sums.gradients[r]));
        product_totals[r] += static_cast<double>(sum_of_lanes<T>(sums.products[r]));
        sums.gradients[r] = sums.products[r] = Vector<T>{};
      }
      if constexpr (scales)
#pragma omp simd
        for (std::int64_t i = begin; i < end; ++i)
          to_scale[i] += static_cast<double>(sums.of_scale[i - begin]);
      if constexpr (moves)
#pragma omp simd
        for (std::int64_t i = begin; i < end; ++i)
          to_bias[i] += static_cast<double>(sums.of_bias[i - begin]);
    }
    for (int r = 0; r < height; ++r)
      finish_row(row + r, height, static_cast<T>(totals[r] / static_cast<double>(columns)),
                 static_cast<T>(product_totals[r] / static_cast<double>(columns)));
  }

  /// dx of a row, given the means over the row of its gradients and of their products with the
  /// normalised x.
  void finish_row(std::int64_t row, int height, T mean_gradient, T mean_product) const {
    T const *const from = x + row * columns, *const g = dy + row * columns;
    T* const to = dx + row * columns;
    RowFactors<T> const factors{means[row], inverses[row], mean_gradient, mean_product};
    if (non_temporal)
      write_non_temporal(from, g, factors, to);
    else
      write(from, g, factors, to, row + height < rows ? height * columns : 0);
  }

  template <class V>
  struct RowFactors {
    V mean, inverse, gradient, product;
  };

  /// dx of one number or of one register of numbers; `load` gets those of scale.
  template <class V, class Load>
  static V of_x(V x, V gradient, RowFactors<V> const& row, T const* scale, Load const& load) {
    V const normal = (x - row.mean) * row.inverse;
    if constexpr (scales) gradient *= load(scale);
    return (gradient - row.gradient - normal * row.product) * row.inverse;
  }

  /// Prefetches what is written `ahead` elements later, if that is not 0.
  void write(T const* from, T const* g, RowFactors<T> const& row, T* to, std::int64_t ahead) const {
    T const* const factor = scale;
    auto const factors = row;
    constexpr std::int64_t step = 128;
    for (std::int64_t begin = 0; begin < columns; begin += step) {
      std::int64_t const end = begin + step < columns ? begin + step : columns;
      if (ahead != 0) prefetch_for_write(to + ahead + begin, end - begin);
#pragma omp simd
      for (std::int64_t i = begin; i < end; ++i)
        to[i] = of_x(from[i], g[i], factors, factor + i, [](T const* each) { return *each; });
    }
  }

  void write_non_temporal(T const* from, T const* g, RowFactors<T> const& row, T* to) const {
    RowFactors<Vector<T>> const factors{broadcast(row.mean), broadcast(row.inverse),
                                        broadcast(row.gradient), broadcast(row.product)};
    auto const load = [](T const* each) { return load_vector(each); };
    for (std::int64_t i = 0; i < columns; i += lanes<T>)
      store_non_temporal(to + i,
                         of_x(load_vector(from + i), load_vector(g + i), factors, scale + i, load));
  }

  void operator()(std::int64_t piece) const {
    double *to_scale = nullptr, *to_bias = nullptr;
    if constexpr (scales) to_scale = partial(piece, false);
    if constexpr (moves) to_bias = partial(piece, true);
    for (std::int64_t i = 0; i < columns; ++i) {
      if constexpr (scales) to_scale[i] = 0;
      if constexpr (moves) to_bias[i] = 0;
    }
    std::int64_t row = piece * piece_rows;
    std::int64_t const end = row + piece_rows < rows ? row + piece_rows : rows;
    // Rows that share the sums over rows, as long as a cache holds them.
    constexpr int height = 4;
    bool const together = (scales || moves) && columns * 2 * height * sizeof(T) <= 256 * 1024;
    for (; together && row + height <= end; row += height) run_rows<height>(row, to_scale, to_bias);
    for (; row < end; ++row) run_rows<1>(row, to_scale, to_bias);
    if (non_temporal) store_fence();
  }
};

/// One column for each index, of scale and bias one after the other.
template <class T>
struct CombineColumns {
  double const* partials;
  T* outputs[2];
  std::int64_t pieces, columns, count;

  void operator()(std::int64_t index) const {
    double sum = 0;
    for (std::int64_t piece = 0; piece < pieces; ++piece)
      sum += partials[piece * count * columns + index];
    outputs[index / columns][index % columns] = static_cast<T>(sum);
  }
};

template <class T, bool scales, bool moves>
class NormaliseGradient : public Kernel {
 public:
  NormaliseGradient(GradientPieces<T, scales, moves> const& pieces,
                    CombineColumns<T> const& combine, std::int64_t count)
      : pieces_(pieces), combine_(combine), count_(count) {}

  void run() override {
    launch_on_threads(count_, static_cast<double>(pieces_.rows * pieces_.columns), pieces_);
    auto const results = combine_.count * combine_.columns;
    launch_on_threads(results, static_cast<double>(results * combine_.pieces), combine_);
  }

 private:
  GradientPieces<T, scales, moves> pieces_;
  CombineColumns<T> combine_;
  std::int64_t count_;
};

template <class T, bool scales, bool moves>
std::unique_ptr<Kernel> bind_gradient(Call const& call) {
  auto const& x = call.inputs[0];
  auto const rows = call.inputs[1].elements();
  auto columns = rows > 0 ? x.elements() / rows : 0;
  if (scales || moves) columns = call.outputs[1].elements();
  // Rows that nothing is summed over need no pieces.
  auto const piece_rows =
      scales || moves ? std::max(fewest_rows, (rows + most_pieces - 1) / most_pieces) : 1;
  auto const count = (rows + piece_rows - 1) / piece_rows;
  auto* const partials = reinterpret_cast<double*>(call.scratch.data());
  GradientPieces<T, scales, moves> const functor{
      x.as<T>(),
      call.inputs[1].as<T>(),
      call.inputs[2].as<T>(),
      call.inputs[3].as<T>(),
      scales ? call.inputs[4].as<T>() : nullptr,
      call.outputs[0].as<T>(),
      partials,
      rows,
      columns,
      piece_rows,
      takes_non_temporal_stores(call.outputs[0].as<T>(), rows * columns, columns,
                                non_temporal_bytes_in_order())};
  CombineColumns<T> combine{partials, {}, count, columns, 0};
  for (std::size_t i = 1; i < call.outputs.size(); ++i)
    combine.outputs[combine.count++] = call.outputs[i].as<T>();
  return std::make_unique<NormaliseGradient<T, scales, moves>>(functor, combine, count);
}

}  // namespace

Implementation normalise_gradient_kernel() {
  return {"host", one_type, [](Call const& call) {
            auto const& op = operator_of<operators::normalise_gradient>(call);
            return with_floating(call.inputs[0].type, [&](auto zero) {
              using T = decltype(zero);
              if (op.scale && op.bias) return bind_gradient<T, true, true>(call);
              if (op.scale) return bind_gradient<T, true, false>(call);
              return op.bias ? bind_gradient<T, false, true>(call)
                             : bind_gradient<T, false, false>(call);
            });
          }};
}

}  // namespace lbann::kernels::host
