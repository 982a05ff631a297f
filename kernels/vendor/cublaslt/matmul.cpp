// matmul by cuBLASLt where its epilogue adds a bias and nothing else: no pass of its own over the
// product. Others go to cuBLAS, see docs/decisions/epilogues_of_cublaslt.md.
#include "kernels/element_types.hpp"
#include "kernels/map/epilogue.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/shapes/matrix_products.hpp"
#include "kernels/vendor/cublas/multiply.hpp"
#include "kernels/vendor/cublaslt/biased_product.hpp"
#include "schemas/expression/builder.hpp"

namespace lbann::kernels::cublaslt {

namespace {

/// Whether `expression` is add(i0, i1), in either order.
bool is_sum_with_operand(Expression const& expression) {
  auto const sum_of = [](std::size_t first, std::size_t second) {
    ExpressionBuilder builder;
    return builder.finish({builder.operand(first) + builder.operand(second)});
  };
  static Expression const sums[] = {sum_of(0, 1), sum_of(1, 0)};
  return expression == sums[0] || expression == sums[1];
}

/// Whether operand 1 of the epilogue is one number of f32 for each column.
bool adds_bias(Call const& call) {
  if (!is_sum_with_operand(operator_of<operators::matmul>(call).epilogue)) return false;
  auto const& bias = call.inputs[2];
  auto const columns = extents_of_product(call).columns;
  return bias.type == DataType::f32 && bias.rank > 0 && bias.elements() == columns &&
         bias.extents[bias.rank - 1u] == columns;
}

bool accepts(Call const& call) {
  auto const type = call.inputs[0].type;
  return type != DataType::f64 && factors_of_one_type(call) && adds_bias(call) &&
         cublas::takes(extents_of_product(call)) &&
         holder_of_product(call, DataType::f32).has_value();
}

template <class T>
std::unique_ptr<Kernel> bind_product(Call const& call) {
  auto const a = left_factor<T>(call), b = right_factor<T>(call);
  auto const extents = extents_of_product(call);
  return bind({cublas::gemm_of(a, b, extents, 1, cublas::contiguous(extents)), b.data, a.data,
               call.inputs[2].as<float const>(), call.outputs[0].as<float>()});
}

}  // namespace

Implementation matmul_kernel() {
  return {"cublaslt", accepts, [](Call const& call) {
            auto product = call.inputs[0].type == DataType::bf16  ? bind_product<BFloat16>(call)
                           : call.inputs[0].type == DataType::f16 ? bind_product<Float16>(call)
                                                                  : bind_product<float>(call);
            return product != nullptr ? std::move(product) : cublas::matmul_kernel().bind(call);
          }};
}

}  // namespace lbann::kernels::cublaslt
