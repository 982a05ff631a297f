// Reference kernel of scatter: sums of one row of the output at a time, then the epilogue.
#pragma once

#include <algorithm>

#include "kernels/reference/epilogue.hpp"
#include "kernels/reference/loop.hpp"
#include "kernels/shapes/indexed.hpp"

namespace lbann::kernels::reference {

template <class Number>
class Scatter : public Kernel {
 public:
  explicit Scatter(Call const& call)
      : values_(call.inputs[0]),
        indices_(call.inputs[1]),
        at_(indexed_of(call.outputs[0], indices_, operator_of<operators::scatter>(call).axis,
                       operator_of<operators::scatter>(call).batch_axes)),
        epilogue_(operator_of<operators::scatter>(call).epilogue, call, 2),
        // One more, for what is left out.
        sums_(static_cast<std::size_t>((at_.count + 1) * at_.inner)) {}

  void run() override {
    for (std::int64_t row = 0; row < at_.batch * at_.outer; ++row) {
      std::fill(sums_.begin(), sums_.end(), Number(0));
      for (std::int64_t p = 0; p < at_.picks; ++p) {
        auto const place = place_of(get(indices_, row / at_.outer * at_.picks + p), at_.count);
        auto const to = (place < 0 ? at_.count : place) * at_.inner;
        for (std::int64_t i = 0; i < at_.inner; ++i)
          sums_[static_cast<std::size_t>(to + i)] +=
              get<Number>(values_, (row * at_.picks + p) * at_.inner + i);
      }
      for (std::int64_t i = 0; i < at_.count * at_.inner; ++i)
        epilogue_.finish(row * at_.count * at_.inner + i, sums_[static_cast<std::size_t>(i)]);
    }
  }

 private:
  View values_, indices_;
  Indexed at_;
  Epilogue<Number> epilogue_;
  std::vector<Number> sums_;
};

template <class Number>
Implementation scatter_kernel() {
  return kernel<Scatter<Number>>();
}

}  // namespace lbann::kernels::reference
