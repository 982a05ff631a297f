// Portable kernel of attention_gradient: some queries at a time, whose weights and gradients of
// scores are in scratch memory.
#include "kernels/kokkos/folds.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/shapes/attention_mask.hpp"
#include "kernels/shapes/attention_rows.hpp"
#include "schemas/functions/exp.hpp"

namespace lbann::kernels::kokkos {

namespace {

/// Weights of a query and gradients of its products with keys: the lanes share out the keys.
template <class T>
struct ScoreGradients {
  using Value = double;
  static constexpr int folds = 1;

  AttentionRows rows;
  T const *dy, *q, *k, *v, *y, *lse;
  T *weights, *to_products;
  T scale;
  AttentionMask<T> mask;

  KOKKOS_FUNCTION double part(Lane const& lane, int, double const*) const {
    auto const at = rows[lane.index];
    auto const& g = rows.geometry;
    auto const result = g.row(at.sample, at.head, at.query, g.queries, g.value_size);
    double sum = 0;
    for (std::int64_t i = lane.lane; i < g.value_size; i += lane.lanes)
      sum += static_cast<double>(dy[result + i] * y[result + i]);
    return sum;
  }

  KOKKOS_FUNCTION double combine(int, double a, double b) const { return a + b; }

  KOKKOS_FUNCTION void finish(Lane const& lane, double const* results) const {
    auto const at = rows[lane.index];
    auto const& g = rows.geometry;
    T const* const query = q + g.row(at.sample, at.head, at.query, g.queries, g.head_size);
    T const* const given = dy + g.row(at.sample, at.head, at.query, g.queries, g.value_size);
    T const* const added = mask.data + mask.row(at.sample, at.head, at.query);
    T const shift = lse[g.lse(at.sample, at.head, at.query)];
    T const mean = static_cast<T>(results[0]);
    for (std::int64_t j = lane.lane; j < g.seen(at.query); j += lane.lanes) {
      T const* const key = k + g.row(at.sample, at.head, j, g.keys, g.head_size);
      T const* const value = v + g.row(at.sample, at.head, j, g.keys, g.value_size);
      T product = 0, to_weight = 0;
      for (std::int64_t i = 0; i < g.head_size; ++i) product += query[i] * key[i];
      for (std::int64_t i = 0; i < g.value_size; ++i) to_weight += given[i] * value[i];
      T score = product * scale;
      if (mask.exists) score += added[j * mask.of_key];
      T const weight = functions::exp::value(score - shift);
      weights[lane.index * g.keys + j] = weight;
      to_products[lane.index * g.keys + j] = weight * (to_weight - mean) * scale;
    }
  }
};

/// An entry of the gradient of a query for each index.
template <class T>
struct QueryGradients {
  AttentionRows rows;
  T const *to_products, *k;
  T* dq;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    auto const& g = rows.geometry;
    auto const row = index / g.head_size, entry = index % g.head_size;
    auto const at = rows[row];
    T const* const factor = to_products + row * g.keys;
    T const* const key = k + g.row(at.sample, at.head, 0, g.keys, g.head_size) + entry;
    double sum = 0;
    for (std::int64_t j = 0; j < g.seen(at.query); ++j)
      sum += static_cast<double>(factor[j] * key[j * g.head_pitch()]);
    dq[g.row(at.sample, at.head, at.query, g.queries, g.head_size) + entry] = static_cast<T>(sum);
  }
};

/// An entry of the gradient of a key, or of a value, for each index: the sum over the queries of a
/// part, added to that over the parts of the same head before it.
template <class T>
struct KeyGradients {
  AttentionRows rows;
  T const *factors, *from;  ///< [rows, keys]; queries, or gradients of results
  T* to;
  std::int64_t size;  ///< columns of a head in `from` and `to`

  std::int64_t count() const {
    auto const& g = rows.geometry;
    return (rows.count + g.queries - 1) / g.queries * g.keys * size;
  }

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    auto const& g = rows.geometry;
    auto const entry = index % size, key = index / size % g.keys, head = index / size / g.keys;
    auto const first = rows[head * g.queries];
    auto const here = rows.count < g.queries ? rows.count : g.queries;
    T const* const row = from + g.row(first.sample, first.head, 0, g.queries, size) + entry;
    T* const result = to + g.row(first.sample, first.head, key, g.keys, size) + entry;
    double sum = first.query == 0 ? 0 : static_cast<double>(*result);
    for (std::int64_t i = 0; i < here; ++i)
      if (key < g.seen(first.query + i))
        sum += static_cast<double>(factors[(head * g.queries + i) * g.keys + key] *
                                   row[(first.query + i) * g.heads * size]);
    *result = static_cast<T>(sum);
  }
};

template <class T>
class AttentionGradient : public Kernel {
 public:
  explicit AttentionGradient(Call const& call)
      : rows_{AttentionGeometry(operator_of<operators::attention_gradient>(call), call.inputs[1],
                                call.inputs[2], call.inputs[3])},
        scores_{rows_,
                call.inputs[0].as<T const>(),
                call.inputs[1].as<T const>(),
                call.inputs[2].as<T const>(),
                call.inputs[3].as<T const>(),
                call.inputs[4].as<T const>(),
                call.inputs[5].as<T const>(),
                reinterpret_cast<T*>(call.scratch.data()),
                reinterpret_cast<T*>(call.scratch.data()) + rows_.most() * rows_.geometry.keys,
                static_cast<T>(operator_of<operators::attention_gradient>(call).scale),
                {call.inputs, 6}},
        queries_{rows_, scores_.to_products, scores_.k, call.outputs[0].as<T>()},
        keys_{rows_, scores_.to_products, scores_.q, call.outputs[1].as<T>(),
              rows_.geometry.head_size},
        values_{rows_, scores_.weights, scores_.dy, call.outputs[2].as<T>(),
                rows_.geometry.value_size} {}

  void run() override {
    auto const& g = rows_.geometry;
    rows_.for_each_part([&](AttentionRows const& rows) {
      scores_.rows = queries_.rows = keys_.rows = values_.rows = rows;
      auto const pairs = static_cast<double>(rows.count * g.keys);
      auto const head = pairs * static_cast<double>(g.head_size);
      auto const value = pairs * static_cast<double>(g.value_size);
      launch_folds(rows.count, lanes_for(g.keys), head + value, scores_);
      launch(rows.count * g.head_size, head, queries_);
      launch(keys_.count(), head, keys_);
      launch(values_.count(), value, values_);
    });
  }

 private:
  AttentionRows rows_;
  ScoreGradients<T> scores_;
  QueryGradients<T> queries_;
  KeyGradients<T> keys_, values_;
};

}  // namespace

Implementation attention_gradient_kernel() {
  return {"kokkos", one_type, [](Call const& call) {
            return with_floating(call.inputs[0].type, [&](auto zero) -> std::unique_ptr<Kernel> {
              return std::make_unique<AttentionGradient<decltype(zero)>>(call);
            });
          }};
}

}  // namespace lbann::kernels::kokkos
