// Reference kernel of moments: the mean first, then the deviations from it.
#pragma once

#include <algorithm>

#include "kernels/reference/loop.hpp"

namespace lbann::kernels::reference {

template <class Number>
class Moments : public Kernel {
 public:
  explicit Moments(Call const& call)
      : axes_(operator_of<operators::moments>(call).axes),
        x_(call.inputs[0]),
        count_(call.outputs[0]),
        mean_(call.outputs[1]),
        m2_(call.outputs[2]),
        means_(static_cast<std::size_t>(mean_.elements())),
        sums_(means_.size()) {}

  void run() override {
    std::int64_t count = 1;
    for (auto const axis : axes_) count *= x_.extents[static_cast<std::size_t>(axis)];
    set(count_, 0, static_cast<double>(count));
    std::fill(means_.begin(), means_.end(), Number(0));
    std::fill(sums_.begin(), sums_.end(), Number(0));
    auto const elements = x_.elements();
    for (std::int64_t i = 0; i < elements; ++i) {
      auto& sum = means_[target(i)];
      sum = sum + get<Number>(x_, i);
    }
    for (auto& mean : means_)
      mean = mean / Number(static_cast<double>(std::max<std::int64_t>(count, 1)));
    for (std::int64_t i = 0; i < elements; ++i) {
      auto const deviation = get<Number>(x_, i) - means_[target(i)];
      auto& sum = sums_[target(i)];
      sum = sum + deviation * deviation;
    }
    for (std::size_t i = 0; i < means_.size(); ++i) {
      set(mean_, static_cast<std::int64_t>(i), means_[i]);
      set(m2_, static_cast<std::int64_t>(i), sums_[i]);
    }
  }

 private:
  std::size_t target(std::int64_t index) const {
    return static_cast<std::size_t>(kept_index({x_.extents.data(), x_.rank}, axes_, index));
  }

  std::vector<std::int64_t> axes_;
  View x_, count_, mean_, m2_;
  std::vector<Number> means_, sums_;
};

template <class Number>
Implementation moments_kernel() {
  return kernel<Moments<Number>>();
}

}  // namespace lbann::kernels::reference
