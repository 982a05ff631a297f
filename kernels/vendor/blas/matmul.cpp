// matmul by OpenBLAS.
#include <algorithm>
#include <limits>
#include <type_traits>

#include "kernels/host/map/engine.hpp"
#include "kernels/map/row_blocks.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/shapes/matrix_products.hpp"
#include "kernels/thread_team.hpp"
#include "kernels/vendor/blas/entries.hpp"

namespace lbann::kernels::blas {

namespace {

/// Small products are faster without packing, large ones in the library's own blocks. In between
/// the tiles of `host` win: their epilogue finds them in the cache, and no thread waits for
/// another.
bool is_small(ProductExtents const& of) { return of.rows * of.columns < 100'000 / of.inner; }
bool is_large(ProductExtents const& of) {
  return std::min({of.rows, of.columns, of.inner}) >= 1536;
}

/// The library computes each of these blocks of rows and columns on one thread: small products are
/// not worth waking others, and of large ones each thread computes its own part.
struct Blocks {
  std::int64_t down = 1, across = 1;

  /// As square as threads and extents allow.
  Blocks(std::int64_t rows, std::int64_t columns, std::int64_t threads) {
    for (std::int64_t most = 1; most <= threads; ++most) {
      if (threads % most != 0) continue;
      auto const other = threads / most;
      auto const longest = [&](std::int64_t d, std::int64_t a) {
        return std::max(rows / d, columns / a);
      };
      if (longest(most, other) < longest(down, across) || down * across < threads)
        down = most, across = other;
    }
  }
};

/// c = a b, all in C order; `leading` are distances of stored rows.
template <class T>
struct Gemm {
  bool transpose_a, transpose_b;
  T const *a, *b;
  T* c;
  std::int64_t rows, inner, columns, leading_a, leading_b;
  std::int64_t threads;

  /// Each thread computes a block of c.
  void run() const {
    if (threads == 1) return run_block(0, rows, 0, columns);
    Blocks const blocks(rows, columns, threads);
    ThreadTeam::for_each_part(threads, [&](std::int64_t part) {
      auto const down = part / blocks.across, across = part % blocks.across;
      run_block(rows * down / blocks.down, rows * (down + 1) / blocks.down,
                columns * across / blocks.across, columns * (across + 1) / blocks.across);
    });
  }

 private:
  static constexpr auto entry() {
    if constexpr (std::is_same_v<T, double>)
      return &dgemm_;
    else
      return &sgemm_;
  }

  /// Rows and columns of c from the first up to the last. In Fortran's order c is b a, of the same
  /// memory.
  void run_block(std::int64_t row, std::int64_t last_row, std::int64_t column,
                 std::int64_t last_column) const {
    auto const extent = [](std::int64_t of) { return static_cast<int>(of); };
    auto const leading = [&](std::int64_t of) { return std::max(extent(of), 1); };
    char const left = transpose_b ? 'T' : 'N', right = transpose_a ? 'T' : 'N';
    int const m = extent(last_column - column), n = extent(last_row - row), k = extent(inner);
    int const of_b = leading(leading_b), of_a = leading(leading_a), of_c = leading(columns);
    T const one = 1, zero = 0;
    T const* const block_b = b + (transpose_b ? column * leading_b : column);
    T const* const block_a = a + (transpose_a ? row : row * leading_a);
    entry()(&left, &right, &m, &n, &k, &one, block_b, &of_b, block_a, &of_a, &zero,
            c + row * columns + column, &of_c);
  }
};

template <class T>
class Matmul : public Kernel {
 public:
  explicit Matmul(Call const& call)
      : op_(operator_of<operators::matmul>(call)),
        a_(call.inputs[0]),
        b_(call.inputs[1]),
        inner_(extents_of_product(call).inner),
        threads_(is_small(extents_of_product(call)) ? 1 : ThreadTeam::size()),
        blocks_(op_.epilogue, call, sizeof(T)) {}

  void run() override {
    blocks_.for_each([&](RowBlock const& block) {
      auto const first = op_.transpose_a ? block.row : block.row * inner_;
      Gemm<T>{op_.transpose_a,
              op_.transpose_b,
              a_.as<T>() + first,
              b_.as<T>(),
              static_cast<T*>(block.product),
              block.rows,
              inner_,
              blocks_.columns(),
              a_.extents[1],
              b_.extents[1],
              threads_}
          .run();
    });
  }

 private:
  operators::matmul op_;
  View a_, b_;
  std::int64_t inner_;
  std::int64_t threads_;
  RowBlocks<host::MapEngine> blocks_;
};

bool accepts(Call const& call) {
  auto const extents = extents_of_product(call);
  auto const [rows, inner, columns] = extents;
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  if (rows > most || inner > most || columns > most) return false;
  if (rows == 0 || columns == 0 || inner == 0) return false;
  if (!is_small(extents) && !is_large(extents)) return false;
  return takes_product<host::MapEngine>(operator_of<operators::matmul>(call).epilogue, call) &&
         RowBlocks<host::MapEngine>::fits(call, bytes_of(call.inputs[0].type));
}

}  // namespace

Implementation matmul_kernel() {
  return {"blas", accepts, [](Call const& call) -> std::unique_ptr<Kernel> {
            if (call.inputs[0].type == DataType::f64) return std::make_unique<Matmul<double>>(call);
            return std::make_unique<Matmul<float>>(call);
          }};
}

}  // namespace lbann::kernels::blas
