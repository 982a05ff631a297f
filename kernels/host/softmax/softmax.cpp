// CPU kernel of softmax: rows in parallel, each in vector registers.
#include "kernels/host/functor_kernel.hpp"
#include "kernels/host/non_temporal.hpp"
#include "kernels/host/softmax/softmax_row.hpp"
#include "kernels/host/softmax/strided_blocks.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::host {

namespace {

template <class T, bool non_temporal>
struct Softmax {
  T const* x;
  T* y;
  std::int64_t rows, columns;
  T minimum;
  bool logarithm;
  std::int64_t group;  ///< rows of an index, between two store fences

  void operator()(std::int64_t index) const {
    for_each_row<non_temporal>(index, group, rows, [this](std::int64_t row) { run(row); });
  }

 private:
  void run(std::int64_t row) const {
    alignas(64) T copy[non_temporal ? most_staged<T> : 1];
    T const* const from = x + row * columns;
    T* const to = non_temporal ? copy : y + row * columns;
    auto const scale = exponentials(from, to, columns, row + 1 == rows, non_temporal);
    if (logarithm) {
      T const largest = scale.largest;
      T const shift = functions::log::value(scale.sum);
#pragma omp simd
      for (std::int64_t i = 0; i < columns; ++i) to[i] = (from[i] - largest) - shift;
    } else {
      normalise(to, columns, scale.sum, minimum);
    }
    if (non_temporal) copy_run(y + row * columns, to, columns, true);
  }
};

/// Rows whose entries are `stride` apart, so that neighbouring rows lie side by side: one block of
/// them, in vector registers, for each index.
template <class T>
struct StridedSoftmax {
  T const* x;
  T* y;
  StridedBlocks blocks;
  T minimum;
  bool logarithm, non_temporal;

  void operator()(std::int64_t index) const {
    auto const block = blocks[index];
    T const* const from = x + block.begin;
    T* const to = y + block.begin;
    std::int64_t const stride = blocks.stride;
    int const count = block.count;
    // Powers, and results where those do not fit.
    alignas(64) T copies[StridedBlocks::copied<T>];
    bool const fits = blocks.fit<T>();
    T* const powers = fits ? copies : to;
    std::int64_t const pitch = fits ? blocks.width : stride;
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
    auto const next = blocks[index + 1 < blocks.count ? index + 1 : index];
    for (std::int64_t begin = 0; begin < blocks.columns; begin += StridedBlocks::summed) {
      std::int64_t const rest = blocks.columns - begin;
      std::int64_t const end =
          begin + (rest < StridedBlocks::summed ? rest : StridedBlocks::summed);
      T parts[StridedBlocks::most];
      for (int i = 0; i < count; ++i) parts[i] = 0;
      for (std::int64_t c = begin; c < end; ++c) {
        prefetch(x + next.begin + c * stride, next.count);
#pragma omp simd
        for (int i = 0; i < count; ++i) {
          T const power =
              functions::detail::exponential_up_to_one(from[c * stride + i] - largest[i]);
          powers[c * pitch + i] = power;
          parts[i] += power;
        }
      }
      for (int i = 0; i < count; ++i) sums[i] += static_cast<double>(parts[i]);
    }
    T const low = minimum;
    T totals[StridedBlocks::most], reciprocals[StridedBlocks::most], shifts[StridedBlocks::most];
    for (int i = 0; i < count; ++i) {
      totals[i] = static_cast<T>(sums[i]);
      reciprocals[i] = T(1) / totals[i];
      if (logarithm) shifts[i] = functions::log::value(totals[i]);
    }
    for (std::int64_t c = 0; c < blocks.columns; ++c) {
      T* const row = powers + c * pitch;
      if (logarithm) {
#pragma omp simd
        for (int i = 0; i < count; ++i) row[i] = (from[c * stride + i] - largest[i]) - shifts[i];
      } else {
#pragma omp simd
        for (int i = 0; i < count; ++i) {
          T const share = share_of(row[i], totals[i], reciprocals[i]);
          row[i] = share < low ? low : share;
        }
      }
      if (fits) copy_run(to + c * stride, row, count, non_temporal);
    }
    if (fits && non_temporal) store_fence();
  }
};

}  // namespace

Implementation softmax_kernel() {
  return {"host", one_type, [](Call const& call) {
            auto const& op = operator_of<operators::softmax>(call);
            auto const& x = call.inputs[0];
            auto const layout = strided_rows(x, op.axis, op.inner);
            auto const cost = static_cast<double>(layout.rows * layout.columns);
            return with_floating(x.type, [&](auto zero) -> std::unique_ptr<Kernel> {
              using T = decltype(zero);
              auto* const y = call.outputs[0].as<T>();
              auto const minimum = static_cast<T>(op.minimum);
              if (layout.stride == 1) {
                auto const [rows, columns, stride] = layout;
                auto const group = rows_per_fence(true, columns * std::int64_t(sizeof(T)));
                if (rows_take_non_temporal_stores<T>(rows, columns))
                  return functor_kernel(
                      (rows + group - 1) / group, cost,
                      Softmax<T, true>{x.as<T>(), y, rows, columns, minimum, op.logarithm, group});
                return functor_kernel(
                    rows, cost,
                    Softmax<T, false>{x.as<T>(), y, rows, columns, minimum, op.logarithm, 1});
              }
              StridedBlocks const blocks(layout, sizeof(T));
              return functor_kernel(
                  blocks.count, cost,
                  StridedSoftmax<T>{x.as<T>(), y, blocks, minimum, op.logarithm,
                                    takes_non_temporal_stores(y, x.elements(), layout.stride)});
            });
          }};
}

}  // namespace lbann::kernels::host
