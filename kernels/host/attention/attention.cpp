// CPU kernel of attention: some queries of a head for each task, a register tile of them at a time,
// whose scores never leave the first-level cache.
#include "kernels/element_types.hpp"
#include "kernels/host/attention/head_tiles.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/shapes/attention_mask.hpp"
#include "kernels/tasks.hpp"
#include "schemas/functions/exponential.hpp"
#include "schemas/functions/log.hpp"

namespace lbann::kernels::host {

namespace {

/// Queries of a task: enough that packing keys and values costs little beside multiplying by them.
constexpr std::int64_t most_queries = 256;

template <class T>
class Attention : public Kernel {
 public:
  explicit Attention(Call const& call)
      : g_(operator_of<operators::attention>(call), call.inputs[0], call.inputs[1], call.inputs[2]),
        scale_(static_cast<T>(operator_of<operators::attention>(call).scale)),
        q_(call.inputs[0].as<T const>()),
        k_(call.inputs[1].as<T const>()),
        v_(call.inputs[2].as<T const>()),
        mask_(call.inputs, 3),
        y_(call.outputs[0].as<T>()),
        lse_(call.outputs[1].as<T>()),
        scratch_(reinterpret_cast<T*>(call.scratch.data())) {}

  void run() override {
    for_each_task(tasks(), [&](std::int64_t task, std::int64_t worker) {
      auto const chunk = task % chunks(), head = task / chunks() % g_.heads;
      attend(task / chunks() / g_.heads, head, chunk * most_queries, scratch_ + worker * slot());
    });
  }

  static bool fits(Call const& call) {
    Attention const kernel(call);
    return static_cast<std::int64_t>(call.scratch.size()) >=
           workers_for(kernel.tasks()) * kernel.slot() * static_cast<std::int64_t>(sizeof(T));
  }

 private:
  std::int64_t chunks() const { return (g_.queries + most_queries - 1) / most_queries; }
  std::int64_t tasks() const { return g_.samples * g_.heads * chunks(); }

  std::int64_t packed_keys() const { return round_up(g_.keys, tile_columns<T>) * g_.head_size; }
  std::int64_t copied_values() const { return g_.keys * copied_columns<T>(g_.value_size); }
  std::int64_t score_pitch() const { return round_up(g_.keys, scores_at_a_time); }
  std::int64_t slot() const {
    return packed_keys() + copied_values() + tile_rows * (score_pitch() + g_.head_size);
  }

  /// Results of the queries of a head from `first` on, up to `most_queries`.
  void attend(std::int64_t sample, std::int64_t head, std::int64_t first, T* slot) const {
    auto const size = g_.head_size, of_value = g_.value_size;
    auto const end = std::min(first + most_queries, g_.queries);
    HeadRows<T const> const keys{k_ + g_.row(sample, head, 0, g_.keys, size), g_.head_pitch(),
                                 size};
    HeadRows<T const> const values{v_ + g_.row(sample, head, 0, g_.keys, of_value),
                                   g_.value_pitch(), of_value};
    HeadRows<T> const results{y_ + g_.row(sample, head, 0, g_.queries, of_value), g_.value_pitch(),
                              of_value};
    StridedMatrix<T> const queries{q_ + g_.row(sample, head, 0, g_.queries, size), g_.head_pitch(),
                                   1};
    T* const lse = lse_ + g_.lse(sample, head, 0);
    T* const copied = slot + packed_keys();
    T* const scores = copied + copied_values();
    T* const packed_queries = scores + tile_rows * score_pitch();
    pack_as_columns(keys, 0, g_.seen(end - 1), slot);
    copy_rows(values, 0, g_.seen(end - 1), T(1), copied);
    for (auto query = first; query < end; query += tile_rows) {
      auto const rows = std::min<std::int64_t>(tile_rows, end - query);
      auto const seen = g_.seen(query + rows - 1);
      pack_left<T, tile_rows>(queries, query, rows, 0, size, packed_queries);
      for (std::int64_t i = 0; i < tile_rows * size; ++i) packed_queries[i] *= scale_;
      multiply_by_columns(PackedLeft<T, tile_rows>{packed_queries}, slot, size, seen, scores,
                          score_pitch());
      for (std::int64_t r = 0; r < rows; ++r)
        mask_.add(scores + r * score_pitch(), sample, head, query + r, 0, seen);
      auto const sums = weigh(scores, query, seen, rows, lse + query);
      multiply_by_rows(StridedLeft<T>{scores, score_pitch()}, rows, copied, seen, results, query,
                       false);
      for (std::int64_t r = 0; r < rows; ++r) {
        T* const y = results.row(query + r);
        T const sum = sums[r];
#pragma omp simd
        for (std::int64_t i = 0; i < of_value; ++i) y[i] /= sum;
      }
    }
  }

  /// Makes exponentials of the scores of a tile of queries, of which the last sees `seen` keys,
  /// zeros of those that a query does not see. Returns their sums.
  std::array<T, tile_rows> weigh(T* scores, std::int64_t query, std::int64_t seen,
                                 std::int64_t rows, T* lse) const {
    constexpr T none = -std::numeric_limits<T>::infinity();
    auto const pitch = score_pitch(), end = round_up(seen, scores_at_a_time);
    for (std::int64_t r = 0; r < tile_rows; ++r) {
      auto const own = r < rows ? g_.seen(query + r) : seen;
      std::fill(scores + r * pitch + own, scores + r * pitch + end, none);
    }
    Vector<T> folded[tile_rows];
    for (auto& row : folded) row = broadcast(none);
    for (std::int64_t i = 0; i < end; i += lanes<T>)
#pragma GCC unroll 8
      for (int r = 0; r < tile_rows; ++r)
        folded[r] = larger<T>(load_vector(scores + r * pitch + i), folded[r]);
    auto const largest = fold_lanes<T>(folded, [](T a, T b) { return b > a ? b : a; });
    for (int r = 0; r < tile_rows; ++r) {
      T* const row = scores + r * pitch;
      T const most = largest[r];
#pragma omp simd
      for (std::int64_t i = 0; i < end; ++i)
        row[i] = functions::detail::exponential_up_to_one(row[i] - most);
      Vector<T> sum{};
      for (std::int64_t i = 0; i < end; i += lanes<T>) sum += load_vector(row + i);
      folded[r] = sum;
    }
    auto const sums = fold_lanes<T>(folded, [](T a, T b) { return a + b; });
    T logarithms[tile_rows];
#pragma omp simd
    for (int r = 0; r < tile_rows; ++r) logarithms[r] = largest[r] + functions::log::value(sums[r]);
    std::copy_n(logarithms, rows, lse);
    return sums;
  }

  AttentionGeometry g_;
  T scale_;
  T const *q_, *k_, *v_;
  AttentionMask<T> mask_;
  T *y_, *lse_;
  T* scratch_;
};

bool accepts(Call const& call) {
  return one_type(call) && with_floating(call.inputs[0].type, [&](auto zero) {
           return Attention<decltype(zero)>::fits(call);
         });
}

}  // namespace

Implementation attention_kernel() {
  return {"host", accepts, [](Call const& call) {
            return with_floating(call.inputs[0].type, [&](auto zero) -> std::unique_ptr<Kernel> {
              return std::make_unique<Attention<decltype(zero)>>(call);
            });
          }};
}

}  // namespace lbann::kernels::host
