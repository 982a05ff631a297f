// CPU kernel of moments: pieces fixed by the shape in parallel, then combined in order, so that
// results do not depend on the number of threads.
#include <algorithm>
#include <cmath>

#include "kernels/host/functor_kernel.hpp"
#include "kernels/host/normalisation/row_moments.hpp"
#include "kernels/kokkos/moments.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::host {

namespace {

/// Rows shorter than this are not summed by themselves: all numbers of an output are taken
/// together.
constexpr std::int64_t long_row = 32;

template <class T>
struct MomentPieces {
  static constexpr int most = static_cast<int>(host_grain.outputs);

  T const* x;
  ReduceLayout layout;
  MomentPartials partials;
  double *mean, *m2;  ///< for a single piece

  void store(ReducePiece const& piece, int c, Moments const& moments) const {
    auto const output = piece.a * layout.c + piece.c_begin + c;
    if (layout.partials() == 1) {
      mean[output] = moments.mean;
      m2[output] = moments.m2;
    } else {
      partials.mean(piece.partial, output) = moments.mean;
      partials.m2(piece.partial, output) = moments.m2;
    }
  }

  void take_long_rows(ReducePiece const& piece) const {
    Moments moments[most];
    auto const length = piece.d_end - piece.d_begin;
    auto const together = std::max<std::int64_t>(tile_of_moments / length, 1);
    for (auto b = piece.b_begin; b < piece.b_end; b += together)
      if (together == 1)
        for (int c = 0; c < piece.c_count; ++c) {
          auto const begin = piece.row(layout, b) + c * layout.d + piece.d_begin;
          moments[c].merge(moments_of(x + begin, length, layout.elements() - begin));
        }
      else
        take_tiles(piece, b, static_cast<int>(std::min(together, piece.b_end - b)), moments);
    for (int c = 0; c < piece.c_count; ++c) store(piece, c, moments[c]);
  }

  /// Merges `count` rows from `b` of each output, which make one tile; prefetches the next
  /// output's.
  void take_tiles(ReducePiece const& piece, std::int64_t b, int count, Moments* moments) const {
    auto const length = piece.d_end - piece.d_begin;
    T const* rows[tile_of_moments / long_row];
    for (int r = 0; r < count; ++r) rows[r] = x + piece.row(layout, b + r) + piece.d_begin;
    for (int c = 0; c < piece.c_count; ++c) {
      double const center = moments[c].count > 0 ? moments[c].mean : first_center(rows[0], length);
      DeviationLanes<T> sums(static_cast<ComputeType<T>>(center));
      for (int r = 0; r < count; ++r) {
        if (c + 1 < piece.c_count) prefetch(rows[r] + layout.d, length);
        sums.add(rows[r], length);
        rows[r] += layout.d;
      }
      moments[c].merge(sums.moments());
    }
  }

  /// Adds `together` rows from `b`, one number of each for each output; prefetches the rows
  /// `distance` further on.
  static constexpr int together = 4, distance = 8, step = 128;
  void add_rows(ReducePiece const& piece, std::int64_t b, double const* first, double* sums,
                double* squares) const {
    T const *rows[together], *ahead[together];
    for (int r = 0; r < together; ++r) {
      auto const soon = b + r + distance;
      rows[r] = x + piece.row(layout, b + r) + piece.d_begin;
      ahead[r] = x + piece.row(layout, soon < piece.b_end ? soon : b) + piece.d_begin;
    }
    for (int begin = 0; begin < piece.c_count; begin += step) {
      int const end = begin + step < piece.c_count ? begin + step : piece.c_count;
      for (int r = 0; r < together; ++r) prefetch(ahead[r] + begin, end - begin);
#pragma omp simd
      for (int c = begin; c < end; ++c) {
        double sum = sums[c], square = squares[c];
#pragma GCC unroll 4
        for (int r = 0; r < together; ++r) {
          double const apart = convert<double>(rows[r][c]) - first[c];
          sum += apart;
          square = std::fma(apart, apart, square);
        }
        sums[c] = sum;
        squares[c] = square;
      }
    }
  }

  /// Sums of deviations from the first number of each output and of their squares, in double: as
  /// it is one of the numbers itself, no more than log(count) digits cancel.
  void take_short_rows(ReducePiece const& piece) const {
    double first[most], sums[most], squares[most];
    auto const length = piece.d_end - piece.d_begin;
    auto const count = (piece.b_end - piece.b_begin) * length;
    for (int c = 0; c < piece.c_count; ++c) {
      first[c] = 0;
      if (count > 0)
        first[c] =
            convert<double>(x[piece.row(layout, piece.b_begin) + c * layout.d + piece.d_begin]);
      sums[c] = squares[c] = 0;
    }
    auto b = piece.b_begin;
    if (layout.d == 1)
      for (; b + together <= piece.b_end; b += together) add_rows(piece, b, first, sums, squares);
    for (; b < piece.b_end; ++b)
      for (std::int64_t d = 0; d < length; ++d) {
        T const* const row = x + piece.row(layout, b) + piece.d_begin + d;
        for (int c = 0; c < piece.c_count; ++c) {
          double const apart = convert<double>(row[c * layout.d]) - first[c];
          sums[c] += apart;
          squares[c] += apart * apart;
        }
      }
    for (int c = 0; c < piece.c_count; ++c) {
      double const rest = count > 0 ? sums[c] / static_cast<double>(count) : 0;
      double const m2_of_piece = squares[c] - rest * sums[c];
      store(piece, c,
            {static_cast<double>(count), first[c] + rest, m2_of_piece > 0 ? m2_of_piece : 0});
    }
  }

  void operator()(std::int64_t index) const {
    auto const piece = piece_of(layout, index);
    if (layout.d >= long_row)
      take_long_rows(piece);
    else
      take_short_rows(piece);
  }
};

template <class T>
class MomentsKernel : public Kernel {
 public:
  MomentsKernel(MomentPieces<T> const& pieces, SetNumber count) : pieces_(pieces), count_(count) {}

  void run() override {
    auto const& layout = pieces_.layout;
    launch_on_threads(1, 1, count_);
    launch_on_threads(pieces_of(layout), static_cast<double>(layout.elements()) * 0.5, pieces_);
    if (layout.partials() > 1)
      launch_on_threads(layout.outputs(),
                        static_cast<double>(layout.outputs() * layout.partials() * 4),
                        CombineMoments{layout, pieces_.partials, pieces_.mean, pieces_.m2});
  }

 private:
  MomentPieces<T> pieces_;
  SetNumber count_;
};

}  // namespace

Implementation moments_kernel() {
  return {"host", [](Call const& call) { return moments_layout(call, host_grain).has_value(); },
          [](Call const& call) {
            auto const layout = *moments_layout(call, host_grain);
            auto const& x = call.inputs[0];
            return with_factor_type(x.type, [&](auto zero) -> std::unique_ptr<Kernel> {
              using T = decltype(zero);
              MomentPieces<T> const pieces{
                  x.as<T>(),
                  layout,
                  {reinterpret_cast<double*>(call.scratch.data()), layout.outputs()},
                  call.outputs[1].as<double>(),
                  call.outputs[2].as<double>()};
              auto const count = static_cast<double>(layout.reduced_rows() * layout.d);
              return std::make_unique<MomentsKernel<T>>(
                  pieces, SetNumber{call.outputs[0].as<double>(), count});
            });
          }};
}

}  // namespace lbann::kernels::host
