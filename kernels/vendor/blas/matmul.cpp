// matmul by the BLAS behind Kokkos Kernels: OpenBLAS on a CPU, cuBLAS on CUDA.
#include <Kokkos_Core.hpp>

#include <KokkosBlas3_gemm.hpp>
#include <KokkosBlas_Host_tpl.hpp>
#include <algorithm>
#include <limits>

#include "kernels/kokkos/product_panels.hpp"
#include "kernels/kokkos/workers.hpp"
#include "kernels/selection/list.hpp"

#ifdef _OPENMP
#include <omp.h>
#endif

namespace lbann::kernels::blas {

namespace {

/// On a CPU small products are faster without packing and large ones in the library's own blocks;
/// in between the tiles of the portable kernel win: their epilogue finds them hot, and no thread
/// waits for another.
bool is_small(kokkos::ProductExtents const& of) {
  return of.rows * of.columns < 1'000'000 / of.inner;
}
bool is_large(kokkos::ProductExtents const& of) {
  return std::min({of.rows, of.columns, of.inner}) >= 1536;
}

/// While it lives the library computes on the calling thread only: small products are not worth
/// waking others, and their sums then do not depend on the number of threads.
class OneThread {
 public:
#ifdef _OPENMP
  explicit OneThread(bool wanted) : before_(wanted ? omp_get_max_threads() : 0) {
    if (before_ > 1) omp_set_num_threads(1);
  }
  ~OneThread() {
    if (before_ > 1) omp_set_num_threads(before_);
  }
  OneThread(OneThread const&) = delete;
  OneThread& operator=(OneThread const&) = delete;

 private:
  int before_;
#else
  explicit OneThread(bool) {}
#endif
};

/// c = a b, all in C order; `leading` are distances of stored rows.
template <class T>
struct Gemm {
  bool transpose_a, transpose_b;
  T const *a, *b;
  T* c;
  std::int64_t rows, inner, columns, leading_a, leading_b;

  void run() const {
#if defined(KOKKOSKERNELS_ENABLE_TPL_BLAS)
    if constexpr (kokkos::on_host) {
      // The public gemm builds a string for each call, that is, allocates.
      auto leading = [](std::int64_t extent) {
        return static_cast<int>(std::max<std::int64_t>(extent, 1));
      };
      KokkosBlas::Impl::HostBlas<T>::gemm(transpose_b ? 'T' : 'N', transpose_a ? 'T' : 'N',
                                          static_cast<int>(columns), static_cast<int>(rows),
                                          static_cast<int>(inner), T(1), b, leading(leading_b), a,
                                          leading(leading_a), T(0), c, leading(columns));
      return;
    }
#endif
    using Space = Kokkos::DefaultExecutionSpace;
    using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
    using Factor = Kokkos::View<T const**, Kokkos::LayoutRight, Space, Unmanaged>;
    Factor const factor_a(a, transpose_a ? inner : rows, leading_a);
    Factor const factor_b(b, transpose_b ? columns : inner, leading_b);
    Kokkos::View<T**, Kokkos::LayoutRight, Space, Unmanaged> const product(c, rows, columns);
    // A panel of a stored transposed is some of its columns.
    Factor const panel_a =
        Kokkos::subview(factor_a, Kokkos::ALL(),
                        std::pair<std::int64_t, std::int64_t>(0, transpose_a ? rows : inner));
    KokkosBlas::gemm(transpose_a ? "T" : "N", transpose_b ? "T" : "N", T(1), panel_a, factor_b,
                     T(0), product);
  }
};

template <class T>
class Matmul : public Kernel {
 public:
  explicit Matmul(Call const& call)
      : op_(operator_of<operators::matmul>(call)),
        a_(call.inputs[0]),
        b_(call.inputs[1]),
        inner_(kokkos::extents_of_product(call).inner),
        one_thread_(is_small(kokkos::extents_of_product(call))),
        panels_(call, sizeof(T)) {}

  void run() override {
    panels_.for_each([&](kokkos::ProductPanel const& panel) {
      auto const first = op_.transpose_a ? panel.row : panel.row * inner_;
      OneThread const scope(one_thread_);
      Gemm<T>{op_.transpose_a,
              op_.transpose_b,
              a_.as<T>() + first,
              b_.as<T>(),
              static_cast<T*>(panel.product),
              panel.rows,
              inner_,
              panels_.columns(),
              a_.extents[1],
              b_.extents[1]}
          .run();
    });
  }

 private:
  operators::matmul op_;
  View a_, b_;
  std::int64_t inner_;
  bool one_thread_;
  kokkos::ProductPanels panels_;
};

bool accepts(Call const& call) {
  auto const& op = operator_of<operators::matmul>(call);
  auto const type = call.inputs[0].type;
  if (type != DataType::f32 && type != DataType::f64) return false;
  auto const extents = kokkos::extents_of_product(call);
  auto const [rows, inner, columns] = extents;
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  if (rows > most || inner > most || columns > most) return false;
  if (rows == 0 || columns == 0 || inner == 0) return false;
  if (kokkos::on_host && !is_small(extents) && !is_large(extents)) return false;
  if (op.epilogue.empty() ? call.outputs[0].type != type
                          : !kokkos::bind_epilogue(op.epilogue, call, type, nullptr))
    return false;
  return kokkos::ProductPanels::fits(call, bytes_of(type));
}

}  // namespace

Implementation matmul_kernel() {
  return {"blas", accepts, [](Call const& call) -> std::unique_ptr<Kernel> {
            if (call.inputs[0].type == DataType::f64) return std::make_unique<Matmul<double>>(call);
            return std::make_unique<Matmul<float>>(call);
          }};
}

}  // namespace lbann::kernels::blas
