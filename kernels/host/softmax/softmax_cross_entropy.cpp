// CPU kernel of softmax_cross_entropy: rows in parallel, one logarithm for each.
#include "kernels/host/functor_kernel.hpp"
#include "kernels/host/softmax/softmax_row.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/shapes/rows.hpp"

namespace lbann::kernels::host {

namespace {

template <class T, bool non_temporal>
struct SoftmaxCrossEntropy {
  T const *x, *t;
  T *p, *loss;
  std::int64_t rows, columns;
  T minimum, log_minimum;
  std::int64_t group;  ///< rows of an index, between two store fences

  void operator()(std::int64_t index) const {
    for_each_row<non_temporal>(index, group, rows, [this](std::int64_t row) { run(row); });
  }

 private:
  void run(std::int64_t row) const {
    alignas(64) T copy[non_temporal ? most_staged<T> : 1];
    T const *const scores = x + row * columns, *const target = t + row * columns;
    T* const to = non_temporal ? copy : p + row * columns;
    auto const [largest, sum] = exponentials(scores, to, columns, row + 1 == rows, non_temporal);
    T const top = largest, total = sum, reciprocal = T(1) / sum, shift = functions::log::value(sum);
    T const low = minimum, log_low = log_minimum;
    bool const is_last = row + 1 == rows;
    std::int64_t const stride = columns;
    loss[row] = -static_cast<T>(lane_sum_with_prefetch<T>(
        columns,
        [=](std::int64_t i) {
          T const share = share_of(to[i], total, reciprocal);
          to[i] = share < low ? low : share;
          T const log_p = (scores[i] - top) - shift;
          T const term = target[i] * (log_p < log_low ? log_low : log_p);
          return target[i] == T(0) ? T(0) : term;
        },
        [=](std::int64_t i, std::int64_t count) {
          if (!is_last) prefetch(target + stride + i, count);
        }));
    if (non_temporal) copy_run(p + row * columns, to, columns, true);
  }
};

}  // namespace

Implementation softmax_cross_entropy_kernel() {
  return {"host", one_type, [](Call const& call) {
            auto const& op = operator_of<operators::softmax_cross_entropy>(call);
            auto const& x = call.inputs[0];
            auto const rows = rows_of(x).rows, columns = rows_of(x).columns;
            return with_floating(x.type, [&](auto zero) -> std::unique_ptr<Kernel> {
              using T = decltype(zero);
              auto const cost = static_cast<double>(rows * columns) * 1.5;
              auto const bind = [&]<bool non_temporal>(std::bool_constant<non_temporal>) {
                auto const group = rows_per_fence(non_temporal, columns * std::int64_t(sizeof(T)));
                return functor_kernel(
                    (rows + group - 1) / group, cost,
                    SoftmaxCrossEntropy<T, non_temporal>{
                        x.as<T>(), call.inputs[1].as<T>(), call.outputs[0].as<T>(),
                        call.outputs[1].as<T>(), rows, columns, static_cast<T>(op.minimum),
                        static_cast<T>(std::log(op.minimum)), group});
              };
              if (rows_take_non_temporal_stores<T>(rows, columns)) return bind(std::true_type{});
              return bind(std::false_type{});
            });
          }};
}

}  // namespace lbann::kernels::host
