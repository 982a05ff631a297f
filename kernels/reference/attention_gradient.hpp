// Reference kernel of attention_gradient: a pair of a query and a key at a time.
#pragma once

#include <algorithm>

#include "kernels/reference/loop.hpp"
#include "kernels/shapes/attention_mask.hpp"

namespace lbann::kernels::reference {

template <class Number>
class AttentionGradient : public Kernel {
 public:
  explicit AttentionGradient(Call const& call)
      : op_(operator_of<operators::attention_gradient>(call)),
        inputs_(call.inputs.begin(), call.inputs.end()),
        outputs_(call.outputs.begin(), call.outputs.end()),
        geometry_(op_, inputs_[1], inputs_[2], inputs_[3]),
        mask_(inputs_, 6) {
    for (std::size_t i = 0; i < 3; ++i)
      sums_[i].resize(static_cast<std::size_t>(outputs_[i].elements()));
  }

  void run() override {
    auto const& g = geometry_;
    for (auto& sums : sums_) std::fill(sums.begin(), sums.end(), Number(0));
    for (std::int64_t sample = 0; sample < g.samples; ++sample)
      for (std::int64_t head = 0; head < g.heads; ++head)
        for (std::int64_t query = 0; query < g.queries; ++query) {
          auto const y = g.row(sample, head, query, g.queries, g.value_size);
          auto const mean = inner_product<Number>(inputs_[0], y, inputs_[4], y, g.value_size);
          for (std::int64_t key = 0; key < g.seen(query); ++key)
            add(sample, head, query, key, mean);
        }
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t e = 0; e < sums_[i].size(); ++e)
        set(outputs_[i], static_cast<std::int64_t>(e), sums_[i][e]);
  }

 private:
  /// Adds what one pair contributes; `mean` is dy . y of the query.
  void add(std::int64_t sample, std::int64_t head, std::int64_t query, std::int64_t key,
           Number mean) {
    auto const& g = geometry_;
    auto const &dy = inputs_[0], &q = inputs_[1], &k = inputs_[2], &v = inputs_[3];
    auto const of_query = g.row(sample, head, query, g.queries, g.head_size);
    auto const of_key = g.row(sample, head, key, g.keys, g.head_size);
    auto const of_value = g.row(sample, head, key, g.keys, g.value_size);
    auto const of_result = g.row(sample, head, query, g.queries, g.value_size);
    auto const lse = get<Number>(inputs_[5], g.lse(sample, head, query));
    auto const scale = Number(op_.scale);
    auto score = inner_product<Number>(q, of_query, k, of_key, g.head_size) * scale;
    if (mask_.exists)
      score += get<Number>(inputs_[6], mask_.row(sample, head, query) + key * mask_.of_key);
    auto const weight = exponential(score - lse);
    auto const to_weight = inner_product<Number>(dy, of_result, v, of_value, g.value_size);
    auto const to_product = weight * (to_weight - mean) * scale;
    for (std::int64_t i = 0; i < g.head_size; ++i) {
      sums_[0][static_cast<std::size_t>(of_query + i)] += to_product * get<Number>(k, of_key + i);
      sums_[1][static_cast<std::size_t>(of_key + i)] += to_product * get<Number>(q, of_query + i);
    }
    for (std::int64_t i = 0; i < g.value_size; ++i)
      sums_[2][static_cast<std::size_t>(of_value + i)] += weight * get<Number>(dy, of_result + i);
  }

  operators::attention_gradient op_;
  std::vector<View> inputs_, outputs_;
  AttentionGeometry geometry_;
  AttentionMask<std::byte> mask_;  ///< of which the distances count
  std::vector<Number> sums_[3];    ///< of each output
};

template <class Number>
Implementation attention_gradient_kernel() {
  return kernel<AttentionGradient<Number>>();
}

}  // namespace lbann::kernels::reference
