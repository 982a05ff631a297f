// Portable kernel of softmax_cross_entropy: rows in parallel, one logarithm for each.
#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/kokkos/softmax_row.hpp"
#include "kernels/rows.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::kokkos {

namespace {

template <class T, bool streams>
struct SoftmaxCrossEntropy {
  T const *x, *t;
  T *p, *loss;
  std::int64_t rows, columns;
  T minimum, log_minimum;
  std::int64_t at_once;  ///< rows for an index

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    for_each_row<streams>(index, at_once, rows, [this](std::int64_t row) { run(row); });
  }

 private:
  KOKKOS_FUNCTION void run(std::int64_t row) const {
    alignas(64) T copy[streams ? streamed_row<T> : 1];
    T const *const scores = x + row * columns, *const target = t + row * columns;
    T* const to = streams ? copy : p + row * columns;
    auto const [largest, sum] = exponentials(scores, to, columns, row + 1 == rows, streams);
    T const top = largest, total = sum, reciprocal = T(1) / sum, shift = functions::log::value(sum);
    T const low = minimum, log_low = log_minimum;
    bool const is_last = row + 1 == rows;
    std::int64_t const stride = columns;
    loss[row] = -static_cast<T>(lane_sum<T>(
        columns,
        [=](std::int64_t i) {
          T const share = share_of(to[i], total, reciprocal);
          to[i] = share < low ? low : share;
          T const log_p = (scores[i] - top) - shift;
          T const term = target[i] * (log_p < log_low ? log_low : log_p);
          return target[i] == T(0) ? T(0) : term;
        },
        [=](std::int64_t i, std::int64_t count) {
          if (!is_last) fetch_ahead(target + stride + i, count);
        }));
    if (streams) put(p + row * columns, to, columns, true);
  }
};

}  // namespace

Implementation softmax_cross_entropy_kernel() {
  return {"kokkos", one_type, [](Call const& call) {
            auto const& op = operator_of<operators::softmax_cross_entropy>(call);
            auto const& x = call.inputs[0];
            auto const rows = rows_of(x).rows, columns = rows_of(x).columns;
            return with_floating(x.type, [&](auto zero) -> std::unique_ptr<Kernel> {
              using T = decltype(zero);
              auto const cost = static_cast<double>(rows * columns) * 1.5;
              auto const bind = [&]<bool streams>(std::bool_constant<streams>) {
                auto const at_once = rows_at_once(streams, columns * std::int64_t(sizeof(T)));
                return functor_kernel(
                    (rows + at_once - 1) / at_once, cost,
                    SoftmaxCrossEntropy<T, streams>{
                        x.as<T>(), call.inputs[1].as<T>(), call.outputs[0].as<T>(),
                        call.outputs[1].as<T>(), rows, columns, static_cast<T>(op.minimum),
                        static_cast<T>(std::log(op.minimum)), at_once});
              };
              if (are_streamed<T>(rows, columns)) return bind(std::true_type{});
              return bind(std::false_type{});
            });
          }};
}

}  // namespace lbann::kernels::kokkos
