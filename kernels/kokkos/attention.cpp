// Portable kernel of attention: some queries at a time, whose weights are in scratch memory.
#include <limits>

#include "kernels/kokkos/folds.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/shapes/attention_mask.hpp"
#include "kernels/shapes/attention_rows.hpp"
#include "schemas/functions/exp.hpp"
#include "schemas/functions/log.hpp"

namespace lbann::kernels::kokkos {

namespace {

/// Weights of a query: the lanes share out the keys.
template <class T>
struct AttentionWeights {
  using Value = double;
  static constexpr int folds = 2;

  AttentionRows rows;
  T const *q, *k;
  T *weights, *lse;
  T scale;
  AttentionMask<T> mask;

  KOKKOS_FUNCTION double part(Lane const& lane, int fold, double const* before) const {
    auto const at = rows[lane.index];
    auto const& g = rows.geometry;
    T* const row = weights + lane.index * g.keys;
    auto const seen = g.seen(at.query);
    if (fold == 0) {
      T const* const query = q + g.row(at.sample, at.head, at.query, g.queries, g.head_size);
      T const* const added = mask.data + mask.row(at.sample, at.head, at.query);
      T largest = -std::numeric_limits<T>::infinity();
      for (std::int64_t j = lane.lane; j < seen; j += lane.lanes) {
        T const* const key = k + g.row(at.sample, at.head, j, g.keys, g.head_size);
        T product = 0;
        for (std::int64_t i = 0; i < g.head_size; ++i) product += query[i] * key[i];
        row[j] = product * scale;
        if (mask.exists) row[j] += added[j * mask.of_key];
        largest = row[j] > largest ? row[j] : largest;
      }
      return static_cast<double>(largest);
    }
    T const largest = static_cast<T>(before[0]);
    double sum = 0;
    for (std::int64_t j = lane.lane; j < seen; j += lane.lanes) {
      row[j] = functions::exp::value(row[j] - largest);
      sum += static_cast<double>(row[j]);
    }
    return sum;
  }

  KOKKOS_FUNCTION double combine(int fold, double a, double b) const {
    if (fold == 0) return b > a ? b : a;
    return a + b;
  }

  KOKKOS_FUNCTION void finish(Lane const& lane, double const* results) const {
    auto const at = rows[lane.index];
    auto const& g = rows.geometry;
    T* const row = weights + lane.index * g.keys;
    T const total = static_cast<T>(results[1]);
    for (std::int64_t j = lane.lane; j < g.seen(at.query); j += lane.lanes) row[j] /= total;
    if (lane.lane == 0)
      lse[g.lse(at.sample, at.head, at.query)] =
          static_cast<T>(results[0]) + functions::log::value(total);
  }
};

/// An entry of a result for each index.
template <class T>
struct AttentionMeans {
  AttentionRows rows;
  T const *weights, *v;
  T* y;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    auto const& g = rows.geometry;
    auto const row = index / g.value_size, entry = index % g.value_size;
    auto const at = rows[row];
    T const* const weight = weights + row * g.keys;
    T const* const value = v + g.row(at.sample, at.head, 0, g.keys, g.value_size) + entry;
    double sum = 0;
    for (std::int64_t j = 0; j < g.seen(at.query); ++j)
      sum += static_cast<double>(weight[j] * value[j * g.value_pitch()]);
    y[g.row(at.sample, at.head, at.query, g.queries, g.value_size) + entry] = static_cast<T>(sum);
  }
};

template <class T>
class Attention : public Kernel {
 public:
  explicit Attention(Call const& call)
      : rows_{AttentionGeometry(operator_of<operators::attention>(call), call.inputs[0],
                                call.inputs[1], call.inputs[2])},
        weights_{rows_,
                 call.inputs[0].as<T const>(),
                 call.inputs[1].as<T const>(),
                 reinterpret_cast<T*>(call.scratch.data()),
                 call.outputs[1].as<T>(),
                 static_cast<T>(operator_of<operators::attention>(call).scale),
                 {call.inputs, 3}},
        means_{rows_, weights_.weights, call.inputs[2].as<T const>(), call.outputs[0].as<T>()} {}

  void run() override {
    auto const& g = rows_.geometry;
    rows_.for_each_part([&](AttentionRows const& rows) {
      weights_.rows = means_.rows = rows;
      auto const pairs = static_cast<double>(rows.count * g.keys);
      launch_folds(rows.count, lanes_for(g.keys), pairs * static_cast<double>(g.head_size + 4),
                   weights_);
      launch(rows.count * g.value_size, pairs * static_cast<double>(g.value_size), means_);
    });
  }

 private:
  AttentionRows rows_;
  AttentionWeights<T> weights_;
  AttentionMeans<T> means_;
};

}  // namespace

Implementation attention_kernel() {
  return {"kokkos", one_type, [](Call const& call) {
            return with_floating(call.inputs[0].type, [&](auto zero) -> std::unique_ptr<Kernel> {
              return std::make_unique<Attention<decltype(zero)>>(call);
            });
          }};
}

}  // namespace lbann::kernels::kokkos
