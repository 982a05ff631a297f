// CPU kernel of sparse_softmax_cross_entropy_gradient: probabilities from scores, row by row.
#include <algorithm>
#include <cmath>

#include "kernels/host/functor_kernel.hpp"
#include "kernels/host/softmax/strided_blocks.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/shapes/labelled_rows.hpp"
#include "schemas/functions/exp.hpp"

namespace lbann::kernels::host {

namespace {

template <class T, class Index>
struct SparseSoftmaxCrossEntropyGradient {
  T const* x;
  Index const* labels;
  T const *loss, *log_sum, *dloss;
  T* dx;
  StridedRows rows;
  T log_minimum;

  /// A row whose entries are side by side.
  void operator()(std::int64_t row) const {
    T const* const scores = x + row * rows.columns;
    T* const to = dx + row * rows.columns;
    auto const label = trained(row);
    if (label < 0) {
      std::fill_n(to, rows.columns, T(0));
      return;
    }
    T const shift = log_sum[row], low = log_minimum, scale = dloss[row];
#pragma omp simd
    for (std::int64_t i = 0; i < rows.columns; ++i) {
      T const log_p = scores[i] - shift;
      T const share = scale * functions::exp::value(log_p);
      to[i] = log_p < low ? T(0) : share;
    }
    to[label] -= scale;
  }

  /// See `trained_class`.
  std::int64_t trained(std::int64_t row) const {
    return trained_class(labels[row], rows.columns, loss[row], -log_minimum);
  }
};

/// The same for rows whose entries are `stride` apart: one block of neighbouring rows for each
/// index.
template <class T, class Index>
struct StridedSparseSoftmaxCrossEntropyGradient {
  SparseSoftmaxCrossEntropyGradient<T, Index> rows;
  StridedBlocks blocks;

  void operator()(std::int64_t index) const {
    auto const block = blocks[index];
    std::int64_t const stride = blocks.stride;
    int const count = block.count;
    T const* const from = rows.x + block.begin;
    T* const to = rows.dx + block.begin;
    T const low = rows.log_minimum;
    T const *const shifts = rows.log_sum + block.row, *const scales = rows.dloss + block.row;
    std::int64_t labels[StridedBlocks::most];
    for (int i = 0; i < count; ++i) labels[i] = rows.trained(block.row + i);
    for (std::int64_t c = 0; c < blocks.columns; ++c)
#pragma omp simd
      for (int i = 0; i < count; ++i) {
        T const log_p = from[c * stride + i] - shifts[i];
        T const share = scales[i] * functions::exp::value(log_p);
        to[c * stride + i] = log_p < low || labels[i] < 0 ? T(0) : share;
      }
    for (int i = 0; i < count; ++i)
      if (labels[i] >= 0) to[labels[i] * stride + i] -= scales[i];
  }
};

}  // namespace

Implementation sparse_softmax_cross_entropy_gradient_kernel() {
  return {"host", takes_labelled_rows, [](Call const& call) {
            auto const& op = operator_of<operators::sparse_softmax_cross_entropy_gradient>(call);
            auto const &x = call.inputs[0], &labels = call.inputs[1];
            auto const layout = class_rows(x, op.axis);
            auto const cost = static_cast<double>(x.elements());
            return with_floating(x.type, [&](auto zero) {
              return with_index_type(labels.type, [&](auto number) -> std::unique_ptr<Kernel> {
                using T = decltype(zero);
                using Index = decltype(number);
                SparseSoftmaxCrossEntropyGradient<T, Index> const rows{
                    x.as<T>(),
                    labels.as<Index>(),
                    call.inputs[2].as<T>(),
                    call.inputs[3].as<T>(),
                    call.inputs[4].as<T>(),
                    call.outputs[0].as<T>(),
                    layout,
                    static_cast<T>(std::log(op.minimum))};
                if (layout.stride == 1) return functor_kernel(layout.rows, cost, rows);
                StridedBlocks const blocks(layout, sizeof(T));
                return functor_kernel(
                    blocks.count, cost,
                    StridedSparseSoftmaxCrossEntropyGradient<T, Index>{rows, blocks});
              });
            });
          }};
}

}  // namespace lbann::kernels::host
