// Reference kernel of pooling_gradient: the first largest entry gets all, or each entry its share.
#pragma once

#include <algorithm>

#include "kernels/reference/loop.hpp"
#include "kernels/reference/window.hpp"

namespace lbann::kernels::reference {

template <class Number>
class PoolingGradient : public Kernel {
 public:
  explicit PoolingGradient(Call const& call)
      : op_(operator_of<operators::pooling_gradient>(call)),
        x_(call.inputs[0]),
        dy_(call.inputs[1]),
        dx_(call.outputs[0]),
        once_(op_.window.size(), 1),
        table_(x_, dy_, op_.window, {op_.stride, op_.padding, once_}),
        sums_(static_cast<std::size_t>(table_.entries())) {}

  void run() override {
    auto const planes = x_.extents[0] * x_.extents[1];
    bool const max = op_.mode == operators::PoolMode::max;
    for (std::int64_t plane = 0; plane < planes; ++plane) {
      std::fill(sums_.begin(), sums_.end(), Number(0));
      auto const begin = plane * table_.entries();
      for (std::int64_t p = 0; p < table_.positions(); ++p) {
        auto const gradient = get<Number>(dy_, plane * table_.positions() + p);
        if (max)
          give_to_largest(begin, p, gradient);
        else
          share(p, gradient);
      }
      for (std::int64_t i = 0; i < table_.entries(); ++i)
        set(dx_, begin + i, sums_[static_cast<std::size_t>(i)]);
    }
  }

 private:
  void give_to_largest(std::int64_t begin, std::int64_t position, Number gradient) {
    std::int64_t largest = WindowTable::outside, count = 0;
    for (std::int64_t t = 0; t < table_.taps(); ++t)
      if (auto const entry = table_.entry(position, t); entry != WindowTable::outside)
        if (count++ == 0 || get<Number>(x_, begin + entry) > get<Number>(x_, begin + largest))
          largest = entry;
    if (count > 0) sums_[static_cast<std::size_t>(largest)] += gradient;
  }

  void share(std::int64_t position, Number gradient) {
    std::int64_t count = 0;
    for (std::int64_t t = 0; t < table_.taps(); ++t)
      count += table_.entry(position, t) == WindowTable::outside ? 0 : 1;
    bool const all = op_.mode == operators::PoolMode::average;
    auto const part = gradient / Number(static_cast<double>(all ? table_.taps() : count));
    for (std::int64_t t = 0; t < table_.taps(); ++t)
      if (auto const entry = table_.entry(position, t); entry != WindowTable::outside)
        sums_[static_cast<std::size_t>(entry)] += part;
  }

  operators::pooling_gradient op_;
  View x_, dy_, dx_;
  std::vector<std::int64_t> once_;
  WindowTable table_;
  std::vector<Number> sums_;
};

template <class Number>
Implementation pooling_gradient_kernel() {
  return kernel<PoolingGradient<Number>>();
}

}  // namespace lbann::kernels::reference
