// Reference kernel of pooling_gradient: the first largest entry gets all, or each entry its share.
#include <algorithm>

#include "kernels/reference/element.hpp"
#include "kernels/reference/window.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::reference {

namespace {

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
    for (std::int64_t plane = 0; plane < planes; ++plane) {
      std::fill(sums_.begin(), sums_.end(), 0.0);
      auto const begin = plane * table_.entries();
      for (std::int64_t p = 0; p < table_.positions(); ++p)
        spread(begin, p, get(dy_, plane * table_.positions() + p));
      for (std::int64_t i = 0; i < table_.entries(); ++i)
        set(dx_, begin + i, sums_[static_cast<std::size_t>(i)]);
    }
  }

 private:
  void spread(std::int64_t begin, std::int64_t position, double gradient) {
    std::int64_t largest = WindowTable::outside, count = 0;
    for (std::int64_t t = 0; t < table_.taps(); ++t) {
      auto const entry = table_.entry(position, t);
      if (entry == WindowTable::outside) continue;
      if (count++ == 0 || get(x_, begin + entry) > get(x_, begin + largest)) largest = entry;
    }
    if (count == 0) return;
    if (op_.mode == operators::PoolMode::max) {
      sums_[static_cast<std::size_t>(largest)] += gradient;
      return;
    }
    auto const share = op_.mode == operators::PoolMode::average ? table_.taps() : count;
    for (std::int64_t t = 0; t < table_.taps(); ++t)
      if (auto const entry = table_.entry(position, t); entry != WindowTable::outside)
        sums_[static_cast<std::size_t>(entry)] += gradient / static_cast<double>(share);
  }

  operators::pooling_gradient op_;
  View x_, dy_, dx_;
  std::vector<std::int64_t> once_;
  WindowTable table_;
  std::vector<double> sums_;
};

}  // namespace

Implementation pooling_gradient_kernel() {
  return {"reference", loadable, [](Call const& call) -> std::unique_ptr<Kernel> {
            return std::make_unique<PoolingGradient>(call);
          }};
}

}  // namespace lbann::kernels::reference
