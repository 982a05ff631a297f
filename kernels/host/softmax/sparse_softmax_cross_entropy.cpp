// CPU kernel of sparse_softmax_cross_entropy: rows in parallel, nothing stored of their entries.
#include "kernels/host/functor_kernel.hpp"
#include "kernels/host/softmax/softmax_row.hpp"
#include "kernels/host/softmax/strided_blocks.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/shapes/labelled_rows.hpp"

namespace lbann::kernels::host {

namespace {

template <class T, class Index>
struct Results {
  T const* x;
  Index const* labels;
  T *loss, *log_sum;
  StridedRows rows;
  T largest_loss;

  /// Of a row whose largest score and sum of exponentials, less that, are known.
  void put(std::int64_t row, T largest, T sum) const {
    T const shift = functions::log::value(sum);
    log_sum[row] = largest + shift;
    auto const label = place_of(labels[row], rows.columns);
    if (label < 0) {
      loss[row] = T(0);
      return;
    }
    T const value = (largest - x[rows.begin(row) + label * rows.stride]) + shift;
    loss[row] = value > largest_loss ? largest_loss : value;
  }
};

template <class T, class Index>
struct SparseSoftmaxCrossEntropy {
  Results<T, Index> results;

  void operator()(std::int64_t row) const {
    auto const columns = results.rows.columns;
    T const* const scores = results.x + row * columns;
    bool const is_last = row + 1 == results.rows.rows;
    T const largest = kokkos::lane_max(columns, -std::numeric_limits<T>::infinity(),
                                       [=](std::int64_t i) { return scores[i]; });
    double const sum = lane_sum_with_prefetch<T>(
        columns,
        [=](std::int64_t i) {
          return functions::detail::exponential_up_to_one(scores[i] - largest);
        },
        [=](std::int64_t i, std::int64_t count) {
          if (!is_last) prefetch(scores + columns + i, count);
        });
    results.put(row, largest, static_cast<T>(sum));
  }
};

/// The same of rows whose entries are `stride` apart: one block of neighbouring rows, in vector
/// registers, for each index.
template <class T, class Index>
struct StridedSparseSoftmaxCrossEntropy {
  Results<T, Index> results;
  StridedBlocks blocks;

  void operator()(std::int64_t index) const {
    auto const block = blocks[index];
    T const* const from = results.x + block.begin;
    std::int64_t const stride = blocks.stride;
    int const count = block.count;
    T largest[StridedBlocks::most];
    double sums[StridedBlocks::most];
    for (int i = 0; i < count; ++i) {
      largest[i] = -std::numeric_limits<T>::infinity();
      sums[i] = 0;
    }
    for (std::int64_t c = 0; c < blocks.columns; ++c)
#pragma omp simd
      for (int i = 0; i < count; ++i) {
        T const value = from[c * stride + i];
        largest[i] = value > largest[i] ? value : largest[i];
      }
    for (std::int64_t begin = 0; begin < blocks.columns; begin += StridedBlocks::summed) {
      std::int64_t const rest = blocks.columns - begin;
      std::int64_t const end =
          begin + (rest < StridedBlocks::summed ? rest : StridedBlocks::summed);
      T parts[StridedBlocks::most];
      for (int i = 0; i < count; ++i) parts[i] = 0;
      for (std::int64_t c = begin; c < end; ++c)
#pragma omp simd
        for (int i = 0; i < count; ++i)
          parts[i] += functions::detail::exponential_up_to_one(from[c * stride + i] - largest[i]);
      for (int i = 0; i < count; ++i) sums[i] += static_cast<double>(parts[i]);
    }
    for (int i = 0; i < count; ++i) results.put(block.row + i, largest[i], static_cast<T>(sums[i]));
  }
};

}  // namespace

Implementation sparse_softmax_cross_entropy_kernel() {
  return {"host", takes_labelled_rows, [](Call const& call) {
            auto const& op = operator_of<operators::sparse_softmax_cross_entropy>(call);
            auto const &x = call.inputs[0], &labels = call.inputs[1];
            auto const rows = class_rows(x, op.axis);
            auto const cost = static_cast<double>(x.elements());
            return with_floating(x.type, [&](auto zero) {
              return with_index_type(labels.type, [&](auto number) -> std::unique_ptr<Kernel> {
                using T = decltype(zero);
                using Index = decltype(number);
                Results<T, Index> const results{x.as<T>(),
                                                labels.as<Index>(),
                                                call.outputs[0].as<T>(),
                                                call.outputs[1].as<T>(),
                                                rows,
                                                static_cast<T>(-std::log(op.minimum))};
                if (rows.stride == 1)
                  return functor_kernel(rows.rows, cost,
                                        SparseSoftmaxCrossEntropy<T, Index>{results});
                StridedBlocks const blocks(rows, sizeof(T));
                return functor_kernel(blocks.count, cost,
                                      StridedSparseSoftmaxCrossEntropy<T, Index>{results, blocks});
              });
            });
          }};
}

}  // namespace lbann::kernels::host
