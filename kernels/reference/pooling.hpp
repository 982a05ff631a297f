// Reference kernel of pooling: each window one entry after the other.
#pragma once

#include "kernels/reference/loop.hpp"
#include "kernels/reference/window.hpp"

namespace lbann::kernels::reference {

template <class Number>
class Pooling : public Kernel {
 public:
  explicit Pooling(Call const& call)
      : op_(operator_of<operators::pooling>(call)),
        x_(call.inputs[0]),
        y_(call.outputs[0]),
        once_(op_.window.size(), 1),
        table_(x_, y_, op_.window, {op_.stride, op_.padding, once_}) {}

  void run() override {
    auto const planes = x_.extents[0] * x_.extents[1];
    bool const max = op_.mode == operators::PoolMode::max;
    for (std::int64_t plane = 0; plane < planes; ++plane)
      for (std::int64_t p = 0; p < table_.positions(); ++p) {
        auto const begin = plane * table_.entries();
        set(y_, plane * table_.positions() + p, max ? largest(begin, p) : mean(begin, p));
      }
  }

 private:
  // A window lies never in the padding alone (rules::pooling_shape).
  Number largest(std::int64_t begin, std::int64_t position) const {
    Number result = 0;
    std::int64_t count = 0;
    for (std::int64_t t = 0; t < table_.taps(); ++t)
      if (auto const entry = table_.entry(position, t); entry != WindowTable::outside) {
        auto const value = get<Number>(x_, begin + entry);
        if (count++ == 0 || value > result) result = value;
      }
    return result;
  }

  Number mean(std::int64_t begin, std::int64_t position) const {
    Number sum = 0;
    std::int64_t count = 0;
    for (std::int64_t t = 0; t < table_.taps(); ++t)
      if (auto const entry = table_.entry(position, t); entry != WindowTable::outside) {
        sum += get<Number>(x_, begin + entry);
        ++count;
      }
    bool const all = op_.mode == operators::PoolMode::average;
    return sum / Number(static_cast<double>(all ? table_.taps() : count));
  }

  operators::pooling op_;
  View x_, y_;
  std::vector<std::int64_t> once_;
  WindowTable table_;
};

template <class Number>
Implementation pooling_kernel() {
  return kernel<Pooling<Number>>();
}

}  // namespace lbann::kernels::reference
