// CPU kernel of matmul: packed panels and register tiles, epilogues on tiles in the cache.
#include "kernels/host/sixteen_bit/matmul.hpp"
#include "kernels/host/products/few_rows.hpp"
#include "kernels/host/products/gemm.hpp"
#include "kernels/host/sixteen_bit/product_implementation.hpp"
#include "kernels/map/epilogue.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/shapes/matrix_products.hpp"

namespace lbann::kernels::host {

namespace {

template <class T>
class Matmul : public Kernel {
 public:
  explicit Matmul(Call const& call) {
    auto const& op = operator_of<operators::matmul>(call);
    auto const [rows, inner, columns] = extents_of_product(call);
    auto const type = call.inputs[0].type;
    auto const holder = holder_of_product(call, type);
    product_.a = left_factor<T>(call);
    product_.b = right_factor<T>(call);
    product_.result = holder ? call.outputs[*holder].as<T>() : nullptr;
    product_.scratch = reinterpret_cast<T*>(call.scratch.data());
    if (FewRowsProduct<T>::suits(product_.a, product_.b, rows, inner, columns))
      few_rows_.emplace(rows, inner, columns);
    else
      product_.tiling = gemm_tiling<T>(rows, inner, columns, !holder,
                                       sums_halves(product_.b, rows, inner, columns));
    if (!op.epilogue.empty()) {
      epilogue_ = bind_epilogue<MapEngine>(op.epilogue, call, type, product_.result);
      product_.epilogue = &*epilogue_;
      if (moves_beside_products) product_.beside_product = {*epilogue_, columns};
    }
  }
  void run() override {
    if (!few_rows_) return product_.run();
    few_rows_->run(product_.a, product_.b, product_.result, product_.scratch, product_.epilogue);
  }

  static bool fits(Call const& call) {
    auto const& epilogue = operator_of<operators::matmul>(call).epilogue;
    if (!takes_product<MapEngine>(epilogue, call)) return false;
    auto const [rows, inner, columns] = extents_of_product(call);
    bool const separate = !holder_of_product(call, call.inputs[0].type);
    auto const a = left_factor<T>(call), b = right_factor<T>(call);
    auto const needed =
        FewRowsProduct<T>::suits(a, b, rows, inner, columns)
            ? FewRowsProduct<T>(rows, inner, columns).scratch_elements(separate)
            : gemm_tiling<T>(rows, inner, columns, separate, sums_halves(b, rows, inner, columns))
                  .scratch();
    return static_cast<std::int64_t>(call.scratch.size()) >=
           needed * static_cast<std::int64_t>(sizeof(T));
  }

 private:
  Gemm<T> product_;
  std::optional<FewRowsProduct<T>> few_rows_;
  std::optional<MapEngine> epilogue_;
};

}  // namespace

Implementation matmul_kernel() {
  return ProductImplementation<Matmul, sixteen_bit::takes_matmul, sixteen_bit::make_matmul>::get();
}

}  // namespace lbann::kernels::host
