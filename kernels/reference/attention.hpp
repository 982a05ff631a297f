// Reference kernel of attention: a query at a time, the largest score subtracted first.
#pragma once

#include <limits>

#include "kernels/reference/loop.hpp"
#include "kernels/shapes/attention_mask.hpp"

namespace lbann::kernels::reference {

template <class Number>
class Attention : public Kernel {
 public:
  explicit Attention(Call const& call)
      : op_(operator_of<operators::attention>(call)),
        inputs_(call.inputs.begin(), call.inputs.end()),
        outputs_(call.outputs.begin(), call.outputs.end()),
        geometry_(op_, inputs_[0], inputs_[1], inputs_[2]),
        mask_(inputs_, 3),
        weights_(static_cast<std::size_t>(geometry_.keys)) {}

  void run() override {
    for (std::int64_t sample = 0; sample < geometry_.samples; ++sample)
      for (std::int64_t head = 0; head < geometry_.heads; ++head)
        for (std::int64_t query = 0; query < geometry_.queries; ++query)
          attend(sample, head, query);
  }

 private:
  void attend(std::int64_t sample, std::int64_t head, std::int64_t query) {
    auto const& g = geometry_;
    auto const q = g.row(sample, head, query, g.queries, g.head_size);
    auto const seen = g.seen(query);
    Number largest = -std::numeric_limits<double>::infinity();
    for (std::int64_t key = 0; key < seen; ++key) {
      auto const k = g.row(sample, head, key, g.keys, g.head_size);
      auto& score = weights_[static_cast<std::size_t>(key)];
      score = inner_product<Number>(inputs_[0], q, inputs_[1], k, g.head_size) * Number(op_.scale);
      if (mask_.exists)
        score += get<Number>(inputs_[3], mask_.row(sample, head, query) + key * mask_.of_key);
      largest = larger(largest, score);
    }
    Number sum = 0;
    for (std::int64_t key = 0; key < seen; ++key) {
      auto& weight = weights_[static_cast<std::size_t>(key)];
      weight = exponential(weight - largest);
      sum += weight;
    }
    for (std::int64_t i = 0; i < g.value_size; ++i) {
      Number mean = 0;
      for (std::int64_t key = 0; key < seen; ++key)
        mean += weights_[static_cast<std::size_t>(key)] *
                get<Number>(inputs_[2], g.row(sample, head, key, g.keys, g.value_size) + i);
      set(outputs_[0], g.row(sample, head, query, g.queries, g.value_size) + i, mean / sum);
    }
    set(outputs_[1], g.lse(sample, head, query), largest + logarithm(sum));
  }

  operators::attention op_;
  std::vector<View> inputs_, outputs_;
  AttentionGeometry geometry_;
  AttentionMask<std::byte> mask_;  ///< of which the distances count
  std::vector<Number> weights_;    ///< of the keys that a query sees
};

template <class Number>
Implementation attention_kernel() {
  return kernel<Attention<Number>>();
}

}  // namespace lbann::kernels::reference
