// A product in C order is, by columns, that of the transposed factors in reverse order.
#include "kernels/vendor/cublas/multiply.hpp"

#include <algorithm>
#include <limits>

namespace lbann::kernels::cublas {

namespace {

/// A factor [rows, columns]. A pitch is checked even where there is only one row to find.
template <class T>
GemmFactor factor(StridedMatrix<T> const& matrix, std::int64_t rows, std::int64_t columns,
                  std::int64_t step) {
  auto const pitch =
      matrix.column == 1 ? std::max(matrix.row, columns) : std::max(matrix.column, rows);
  return {matrix.column != 1, static_cast<int>(pitch), step};
}

}  // namespace

bool takes(ProductExtents const& extents, std::int64_t count) {
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  for (auto const extent : {extents.rows, extents.inner, extents.columns, count})
    if (extent <= 0 || extent > most) return false;
  return true;
}

template <class T>
Gemm gemm_of(StridedMatrix<T> const& a, StridedMatrix<T> const& b, ProductExtents const& extents,
             std::int64_t count, PairSteps const& steps) {
  auto const [rows, inner, columns] = extents;
  return {static_cast<int>(columns),
          static_cast<int>(rows),
          static_cast<int>(inner),
          factor(b, inner, columns, steps.b),
          factor(a, rows, inner, steps.a),
          static_cast<int>(columns),
          steps.product,
          static_cast<int>(count)};
}

template <class T>
void multiply(StridedMatrix<T> const& a, StridedMatrix<T> const& b, ComputeType<T>* product,
              ProductExtents const& extents, std::int64_t count, PairSteps const& steps) {
  queue(gemm_of(a, b, extents, count, steps), b.data, a.data, product);
}

template Gemm gemm_of(StridedMatrix<float> const&, StridedMatrix<float> const&,
                      ProductExtents const&, std::int64_t, PairSteps const&);
template Gemm gemm_of(StridedMatrix<BFloat16> const&, StridedMatrix<BFloat16> const&,
                      ProductExtents const&, std::int64_t, PairSteps const&);
template Gemm gemm_of(StridedMatrix<Float16> const&, StridedMatrix<Float16> const&,
                      ProductExtents const&, std::int64_t, PairSteps const&);
template void multiply(StridedMatrix<float> const&, StridedMatrix<float> const&, float*,
                       ProductExtents const&, std::int64_t, PairSteps const&);
template void multiply(StridedMatrix<double> const&, StridedMatrix<double> const&, double*,
                       ProductExtents const&, std::int64_t, PairSteps const&);
template void multiply(StridedMatrix<BFloat16> const&, StridedMatrix<BFloat16> const&, float*,
                       ProductExtents const&, std::int64_t, PairSteps const&);
template void multiply(StridedMatrix<Float16> const&, StridedMatrix<Float16> const&, float*,
                       ProductExtents const&, std::int64_t, PairSteps const&);

}  // namespace lbann::kernels::cublas
