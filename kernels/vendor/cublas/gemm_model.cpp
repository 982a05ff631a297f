// What cuBLAS computes, and what it refuses, for the emulated device: pitches, steps and
// transpositions that are wrong give wrong results there as on a GPU.
#include <type_traits>

#include "kernels/device/device.hpp"
#include "kernels/device/emulated.hpp"
#include "kernels/vendor/cublas/gemm.hpp"

namespace lbann::kernels::cublas {

namespace {

template <class T>
struct Columns {
  T const* data;
  GemmFactor factor;

  T at(std::int64_t row, std::int64_t column) const {
    return factor.transposed ? data[row * factor.pitch + column]
                             : data[column * factor.pitch + row];
  }
};

/// What is summed in, so that no order of summands is better than another.
template <class T>
using Wider = std::conditional_t<std::is_same_v<T, double>, long double, double>;

/// Its condition on a pitch: no less than the rows that are stored.
bool holds(GemmFactor const& factor, int rows, int columns) {
  return factor.pitch >= (factor.transposed ? columns : rows);
}

template <class T, class Sum>
void queue_model(Gemm const& gemm, T const* a, T const* b, Sum* product) {
  if (!holds(gemm.a, gemm.rows, gemm.inner) || !holds(gemm.b, gemm.inner, gemm.columns) ||
      gemm.pitch < gemm.rows)
    device::fail("the emulated device failed in gemm: a pitch is too small");
  device::enqueue([=] {
    for (int p = 0; p < gemm.count; ++p) {
      Columns<T> const left{a + p * gemm.a.step, gemm.a}, right{b + p * gemm.b.step, gemm.b};
      for (int j = 0; j < gemm.columns; ++j)
        for (int i = 0; i < gemm.rows; ++i) {
          Wider<T> sum = 0;
          for (int l = 0; l < gemm.inner; ++l)
            sum += convert<Wider<T>>(left.at(i, l)) * convert<Wider<T>>(right.at(l, j));
          product[p * gemm.step + std::int64_t{j} * gemm.pitch + i] = static_cast<Sum>(sum);
        }
    }
  });
}

}  // namespace

void queue(Gemm const& gemm, float const* a, float const* b, float* product) {
  queue_model(gemm, a, b, product);
}
void queue(Gemm const& gemm, double const* a, double const* b, double* product) {
  queue_model(gemm, a, b, product);
}
void queue(Gemm const& gemm, BFloat16 const* a, BFloat16 const* b, float* product) {
  queue_model(gemm, a, b, product);
}
void queue(Gemm const& gemm, Float16 const* a, Float16 const* b, float* product) {
  queue_model(gemm, a, b, product);
}

}  // namespace lbann::kernels::cublas
