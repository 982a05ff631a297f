// CPU kernel of attention_gradient: a head of a sample for each task, blocks of queries by tiles of
// keys, whose weights are computed again and stay in the caches.
#include "kernels/element_types.hpp"
#include "kernels/host/attention/head_tiles.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/shapes/attention_mask.hpp"
#include "kernels/tasks.hpp"
#include "schemas/functions/exponential.hpp"

namespace lbann::kernels::host {

namespace {

/// Queries of a block and keys of a tile, at most; multiples of the extents of register tiles.
constexpr std::int64_t most_queries = 64, most_keys = 192;

template <class T>
class AttentionGradient : public Kernel {
 public:
  explicit AttentionGradient(Call const& call)
      : g_(operator_of<operators::attention_gradient>(call), call.inputs[1], call.inputs[2],
           call.inputs[3]),
        scale_(static_cast<T>(operator_of<operators::attention_gradient>(call).scale)),
        lse_(call.inputs[5].as<T const>()),
        mask_(call.inputs, 6),
        scratch_(reinterpret_cast<T*>(call.scratch.data())) {
    for (std::size_t i = 0; i < 5; ++i) inputs_[i] = call.inputs[i].as<T const>();
    for (std::size_t i = 0; i < 3; ++i) outputs_[i] = call.outputs[i].as<T>();
  }

  void run() override {
    for_each_task(g_.samples * g_.heads, [&](std::int64_t task, std::int64_t worker) {
      Head const head(*this, task / g_.heads, task % g_.heads, scratch_ + worker * slot());
      for (std::int64_t key = 0; key < g_.keys; key += most_keys) head.go_back(key);
    });
  }

  static bool fits(Call const& call) {
    AttentionGradient const kernel(call);
    return static_cast<std::int64_t>(call.scratch.size()) >=
           workers_for(kernel.g_.samples * kernel.g_.heads) * kernel.slot() *
               static_cast<std::int64_t>(sizeof(T));
  }

 private:
  std::int64_t block() const { return std::min(most_queries, g_.queries); }
  std::int64_t tile() const { return std::min(most_keys, g_.keys); }
  /// Columns of the buffers of weights.
  std::int64_t pitch() const { return round_up(tile() + tile_rows, scores_at_a_time); }
  std::int64_t copied_head() const { return copied_columns<T>(g_.head_size); }
  std::int64_t copied_value() const { return copied_columns<T>(g_.value_size); }
  /// Elements of scratch of a thread.
  std::int64_t slot() const {
    auto const packed = round_up(tile(), tile_columns<T>) * (g_.head_size + g_.value_size);
    auto const copied =
        tile() * copied_head() + round_up(block(), tile_rows) * (copied_head() + copied_value());
    return packed + copied + 2 * round_up(block(), tile_rows) * pitch();
  }

  /// A head of a sample, its rows, and the scratch of the thread that works on it.
  struct Head {
    AttentionGradient const& kernel;
    std::int64_t sample, head;
    HeadRows<T const> dy, q, k, v, y;
    HeadRows<T> dq, dk, dv;
    T const* lse;
    T *packed_keys, *packed_values, *copied_keys, *queries, *gradients, *weights, *to_products;

    Head(AttentionGradient const& of, std::int64_t sample_of, std::int64_t head_of, T* slot)
        : kernel(of), sample(sample_of), head(head_of) {
      auto const& g = of.g_;
      auto const of_head = [&](std::int64_t rows, auto* data) {
        return HeadRows<std::remove_pointer_t<decltype(data)>>{
            data + g.row(sample, head, 0, rows, g.head_size), g.head_pitch(), g.head_size};
      };
      auto const of_value = [&](std::int64_t rows, auto* data) {
        return HeadRows<std::remove_pointer_t<decltype(data)>>{
            data + g.row(sample, head, 0, rows, g.value_size), g.value_pitch(), g.value_size};
      };
      dy = of_value(g.queries, of.inputs_[0]);
      q = of_head(g.queries, of.inputs_[1]);
      k = of_head(g.keys, of.inputs_[2]);
      v = of_value(g.keys, of.inputs_[3]);
      y = of_value(g.queries, of.inputs_[4]);
      dq = of_head(g.queries, of.outputs_[0]);
      dk = of_head(g.keys, of.outputs_[1]);
      dv = of_value(g.keys, of.outputs_[2]);
      lse = of.lse_ + g.lse(sample, head, 0);
      auto const tile = round_up(of.tile(), tile_columns<T>);
      auto const block = round_up(of.block(), tile_rows);
      packed_keys = slot;
      packed_values = packed_keys + tile * g.head_size;
      copied_keys = packed_values + tile * g.value_size;
      queries = copied_keys + of.tile() * of.copied_head();
      gradients = queries + block * of.copied_head();
      weights = gradients + block * of.copied_value();
      to_products = weights + block * of.pitch();
    }

    /// Gradients of up to `most_keys` keys and values from `key` on, and what they add to those of
    /// the queries.
    void go_back(std::int64_t key) const {
      auto const& g = kernel.g_;
      auto const keys = std::min(most_keys, g.keys - key);
      pack_as_columns(k, key, keys, packed_keys);
      pack_as_columns(v, key, keys, packed_values);
      copy_rows(k, key, keys, kernel.scale_, copied_keys);
      for (auto j = key; j < key + keys; ++j) {
        std::fill_n(dk.row(j), dk.size, T(0));
        std::fill_n(dv.row(j), dv.size, T(0));
      }
      // Queries before the first of these keys do not see them.
      auto const first = g.causal ? key / most_queries * most_queries : 0;
      for (auto query = first; query < g.queries; query += most_queries)
        add_block(query, std::min(most_queries, g.queries - query), key, keys);
    }

    void add_block(std::int64_t query, std::int64_t rows, std::int64_t key,
                   std::int64_t keys) const {
      auto const& g = kernel.g_;
      auto const pitch = kernel.pitch();
      auto const of_head = kernel.copied_head(), of_value = kernel.copied_value();
      copy_rows(q, query, rows, kernel.scale_, queries);
      copy_rows(dy, query, rows, T(1), gradients);
      std::int64_t seen = 0;
      for (std::int64_t i = 0; i < rows; i += tile_rows) {
        auto const here = std::min<std::int64_t>(tile_rows, rows - i);
        seen = std::min(keys, std::max<std::int64_t>(g.seen(query + i + here - 1) - key, 0));
        T* const w = weights + i * pitch;
        T* const du = to_products + i * pitch;
        multiply_by_columns(StridedLeft<T>{queries + i * of_head, of_head}, packed_keys,
                            g.head_size, seen, w, pitch);
        multiply_by_columns(StridedLeft<T>{gradients + i * of_value, of_value}, packed_values,
                            g.value_size, seen, du, pitch);
        auto const means = products_with_results(query + i, here);
        for (std::int64_t r = 0; r < here; ++r) {
          kernel.mask_.add(w + r * pitch, sample, head, query + i + r, key, seen);
          weigh(w + r * pitch, du + r * pitch, lse[query + i + r], means[r],
                std::min(keys, std::max<std::int64_t>(g.seen(query + i + r) - key, 0)), keys);
        }
        multiply_by_rows(StridedLeft<T>{du, pitch}, here, copied_keys, seen, dq, query + i,
                         key != 0);
      }
      for (std::int64_t j = 0; j < seen; j += tile_rows) {
        auto const here = std::min<std::int64_t>(tile_rows, seen - j);
        // The first query of the block that sees one of these keys.
        auto const first = g.causal ? std::max<std::int64_t>(key + j - query, 0) : 0;
        TransposedLeft<T> const du{to_products + first * pitch + j, pitch};
        TransposedLeft<T> const w{weights + first * pitch + j, pitch};
        multiply_by_rows(du, here, queries + first * of_head, rows - first, dk, key + j, true);
        multiply_by_rows(w, here, gradients + first * of_value, rows - first, dv, key + j, true);
      }
    }

    /// dy . y of `rows` queries from `query` on.
    std::array<T, tile_rows> products_with_results(std::int64_t query, std::int64_t rows) const {
      Vector<T> sums[tile_rows];
      for (std::int64_t r = 0; r < tile_rows; ++r) {
        sums[r] = Vector<T>{};
        if (r >= rows) continue;
        T const *const given = dy.row(query + r), *const result = y.row(query + r);
        std::int64_t i = 0;
        for (; i + lanes<T> <= dy.size; i += lanes<T>)
          sums[r] += load_vector(given + i) * load_vector(result + i);
        LaneRange<T> const rest(0, dy.size - i);
        if (i < dy.size) sums[r] += rest.load(given + i) * rest.load(result + i);
      }
      return fold_lanes<T>(sums, [](T a, T b) { return a + b; });
    }

    /// Makes the weights of a query of its scores for `seen` keys, and the gradients of these of
    /// those of its weights; zeros of the keys up to `end` that it does not see. `mean` is dy . y.
    /// The factor `scale` of scores is in the copies of queries and keys.
    static void weigh(T* w, T* du, T shift, T mean, std::int64_t seen, std::int64_t end) {
      auto const whole = round_up(seen, scores_at_a_time);
#pragma omp simd
      for (std::int64_t j = 0; j < whole; ++j) {
        T const weight = functions::detail::exponential_up_to_one(w[j] - shift);
        w[j] = weight;
        du[j] = weight * (du[j] - mean);
      }
      std::fill(w + seen, w + end, T(0));
      std::fill(du + seen, du + end, T(0));
    }
  };

  AttentionGeometry g_;
  T scale_;
  T const* inputs_[5];  ///< dy, q, k, v, y
  T const* lse_;
  AttentionMask<T> mask_;
  T* outputs_[3];  ///< dq, dk, dv
  T* scratch_;
};

bool accepts(Call const& call) {
  return one_type(call) && with_floating(call.inputs[0].type, [&](auto zero) {
           return AttentionGradient<decltype(zero)>::fits(call);
         });
}

}  // namespace

Implementation attention_gradient_kernel() {
  return {"host", accepts, [](Call const& call) {
            return with_floating(call.inputs[0].type, [&](auto zero) -> std::unique_ptr<Kernel> {
              return std::make_unique<AttentionGradient<decltype(zero)>>(call);
            });
          }};
}

}  // namespace lbann::kernels::host
