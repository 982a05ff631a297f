// Portable kernel of normalise_gradient: pieces of some rows in parallel. Sums over rows are taken
// in each piece, then over pieces in order, so that results do not depend on the number of threads.
#include <algorithm>

#include "kernels/kokkos/fetch_ahead.hpp"
#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/kokkos/lanes.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::kokkos {

namespace {

/// See `normalise_gradient::scratch_bytes`.
constexpr std::int64_t most_pieces = 32;
/// Columns summed in T before they go on in double.
constexpr std::int64_t tile_columns = 512;
constexpr int row_lanes = 16;

template <class T, bool scales, bool moves>
struct GradientPieces {
  T const *x, *means, *inverses, *dy, *scale;
  T* dx;
  double* partials;  ///< [piece][scale, then bias][column], of those there are
  std::int64_t rows, columns, piece_rows;

  KOKKOS_FUNCTION double* partial(std::int64_t piece, bool of_bias) const {
    constexpr std::int64_t count = (scales ? 1 : 0) + (moves ? 1 : 0);
    return partials + (piece * count + (of_bias && scales ? 1 : 0)) * columns;
  }

  /// `count` columns from `at` on of `height` rows: what they add to sums over columns and rows.
  template <int height>
  KOKKOS_FUNCTION void add_columns(std::int64_t row, std::int64_t at, int count,
                                   T (*sums)[row_lanes], T (*products)[row_lanes],
                                   double* to_scale, double* to_bias) const {
    T scale_sums[row_lanes] = {}, bias_sums[row_lanes] = {};
    for (int r = 0; r < height; ++r) {
      T const mean = means[row + r], inverse = inverses[row + r];
      T const *const from = x + (row + r) * columns + at, *const g = dy + (row + r) * columns + at;
      if (row + r + height < rows) {  // the rows after these
        fetch_ahead(from + height * columns, 1);
        fetch_ahead(g + height * columns, 1);
      }
      auto const add = [&](int j) {
        T const normal = (from[j] - mean) * inverse;
        T gradient = g[j];
        if constexpr (moves) bias_sums[j] += gradient;
        if constexpr (scales) {
          scale_sums[j] += gradient * normal;
          gradient *= scale[at + j];
        }
        sums[r][j] += gradient;
        products[r][j] += gradient * normal;
      };
      if (count == row_lanes) {
#pragma omp simd
        for (int j = 0; j < row_lanes; ++j) add(j);
      } else {
        for (int j = 0; j < count; ++j) add(j);
      }
    }
    if constexpr (scales)
      for (int j = 0; j < count; ++j) to_scale[at + j] += static_cast<double>(scale_sums[j]);
    if constexpr (moves)
      for (int j = 0; j < count; ++j) to_bias[at + j] += static_cast<double>(bias_sums[j]);
  }

  template <int height>
  KOKKOS_FUNCTION void run_rows(std::int64_t row, double* to_scale, double* to_bias) const {
    double totals[height] = {}, product_totals[height] = {};
    for (std::int64_t begin = 0; begin < columns; begin += tile_columns) {
      std::int64_t const end = begin + tile_columns < columns ? begin + tile_columns : columns;
      T sums[height][row_lanes] = {}, products[height][row_lanes] = {};
      for (std::int64_t at = begin; at < end; at += row_lanes)
        add_columns<height>(row, at, static_cast<int>(end - at < row_lanes ? end - at : row_lanes),
                            sums, products, to_scale, to_bias);
      for (int r = 0; r < height; ++r) {
        auto const tree = [](T* lanes) {
          for (int half = row_lanes / 2; half > 0; half /= 2)
            for (int j = 0; j < half; ++j) lanes[j] += lanes[j + half];
          return static_cast<double>(lanes[0]);
        };
        totals[r] += tree(sums[r]);
        product_totals[r] += tree(products[r]);
      }
    }
    for (int r = 0; r < height; ++r) {
      auto const many = static_cast<double>(columns);
      T const mean = means[row + r], inverse = inverses[row + r];
      T const mean_gradient = static_cast<T>(totals[r] / many);
      T const mean_product = static_cast<T>(product_totals[r] / many);
      T const *const from = x + (row + r) * columns, *const g = dy + (row + r) * columns;
      T* const to = dx + (row + r) * columns;
      T const* const factor = scale;
#pragma omp simd
      for (std::int64_t i = 0; i < columns; ++i) {
        T const normal = (from[i] - mean) * inverse;
        T gradient = g[i];
        if constexpr (scales) gradient *= factor[i];
        to[i] = (gradient - mean_gradient - normal * mean_product) * inverse;
      }
    }
  }

  KOKKOS_FUNCTION void operator()(std::int64_t piece) const {
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
    for (; together && row + height <= end; row += height)
      run_rows<height>(row, to_scale, to_bias);
    for (; row < end; ++row) run_rows<1>(row, to_scale, to_bias);
  }
};

/// One column for each index, of scale and bias one after the other.
template <class T>
struct CombineColumns {
  double const* partials;
  T* outputs[2];
  std::int64_t pieces, columns, count;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    double sum = 0;
    for (std::int64_t piece = 0; piece < pieces; ++piece)
      sum += partials[piece * count * columns + index];
    outputs[index / columns][index % columns] = static_cast<T>(sum);
  }
};

template <class T, bool scales, bool moves>
class NormaliseGradient : public Kernel {
 public:
  NormaliseGradient(GradientPieces<T, scales, moves> const& pieces, CombineColumns<T> const& combine,
                    std::int64_t count)
      : pieces_(pieces), combine_(combine), count_(count) {}

  void run() override {
    launch(count_, static_cast<double>(pieces_.rows * pieces_.columns), pieces_);
    auto const results = combine_.count * combine_.columns;
    launch(results, static_cast<double>(results * combine_.pieces), combine_);
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
      scales || moves ? std::max<std::int64_t>(1, (rows + most_pieces - 1) / most_pieces) : 1;
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
      piece_rows};
  CombineColumns<T> combine{partials, {}, count, columns, 0};
  for (std::size_t i = 1; i < call.outputs.size(); ++i)
    combine.outputs[combine.count++] = call.outputs[i].as<T>();
  return std::make_unique<NormaliseGradient<T, scales, moves>>(functor, combine, count);
}

}  // namespace

Implementation normalise_gradient_kernel() {
  return {"kokkos", one_type, [](Call const& call) {
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

}  // namespace lbann::kernels::kokkos
