// matmul on the emulated device: by Kokkos Kernels, which stands for the library of a real one.
#include <KokkosBlas3_gemm.hpp>

#include "kernels/device/emulated.hpp"
#include "kernels/element_types.hpp"
#include "kernels/kokkos/map_engine.hpp"
#include "kernels/map/row_blocks.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/shapes/matrix_products.hpp"

namespace lbann::kernels::kokkos_kernels {

namespace {

using Blocks = RowBlocks<kokkos::MapEngine>;

template <class T>
class Matmul : public Kernel {
 public:
  explicit Matmul(Call const& call)
      : op_(operator_of<operators::matmul>(call)),
        a_(call.inputs[0]),
        b_(call.inputs[1]),
        inner_(extents_of_product(call).inner),
        blocks_(op_.epilogue, call, sizeof(T)) {}

  void run() override {
    blocks_.for_each([&](RowBlock const& block) { multiply(block); });
  }

 private:
  void multiply(RowBlock const& block) const {
    using Space = Kokkos::DefaultExecutionSpace;
    using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
    using Factor = Kokkos::View<T const**, Kokkos::LayoutRight, Space, Unmanaged>;
    auto const first = op_.transpose_a ? block.row : block.row * inner_;
    Factor const a(a_.as<T>() + first, op_.transpose_a ? inner_ : block.rows, a_.extents[1]);
    Factor const right(b_.as<T>(), op_.transpose_b ? blocks_.columns() : inner_, b_.extents[1]);
    Kokkos::View<T**, Kokkos::LayoutRight, Space, Unmanaged> const product(
        static_cast<T*>(block.product), block.rows, blocks_.columns());
    // A block of a transposed a is some of its columns.
    Factor const block_of_a = Kokkos::subview(
        a, Kokkos::ALL(),
        std::pair<std::int64_t, std::int64_t>(0, op_.transpose_a ? block.rows : inner_));
    device::enqueue([=, a = op_.transpose_a ? "T" : "N", b = op_.transpose_b ? "T" : "N"] {
      KokkosBlas::gemm(a, b, T(1), block_of_a, right, T(0), product);
    });
  }

  operators::matmul op_;
  View a_, b_;
  std::int64_t inner_;
  Blocks blocks_;
};

bool accepts(Call const& call) {
  auto const [rows, inner, columns] = extents_of_product(call);
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  if (rows > most || inner > most || columns > most) return false;
  if (rows == 0 || columns == 0 || inner == 0) return false;
  return takes_product<kokkos::MapEngine>(operator_of<operators::matmul>(call).epilogue, call) &&
         Blocks::fits(call, bytes_of(call.inputs[0].type));
}

}  // namespace

Implementation matmul_kernel() {
  return {"kokkos_kernels", accepts, [](Call const& call) {
            return with_floating(call.inputs[0].type, [&](auto zero) -> std::unique_ptr<Kernel> {
              return std::make_unique<Matmul<decltype(zero)>>(call);
            });
          }};
}

}  // namespace lbann::kernels::kokkos_kernels
