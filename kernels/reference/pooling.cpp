// Reference kernel of pooling: each window one entry after the other.
#include <limits>

#include "kernels/reference/element.hpp"
#include "kernels/reference/window.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::reference {

namespace {

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
    for (std::int64_t plane = 0; plane < planes; ++plane)
      for (std::int64_t p = 0; p < table_.positions(); ++p)
        set(y_, plane * table_.positions() + p, pooled(plane * table_.entries(), p));
  }

 private:
  double pooled(std::int64_t begin, std::int64_t position) const {
    double sum = 0, largest = std::numeric_limits<double>::lowest();
    std::int64_t count = 0;
    for (std::int64_t t = 0; t < table_.taps(); ++t) {
      auto const entry = table_.entry(position, t);
      if (entry == WindowTable::outside) continue;
      auto const value = get(x_, begin + entry);
      sum += value;
      if (count++ == 0 || value > largest) largest = value;
    }
    switch (op_.mode) {
      case operators::PoolMode::max:
        return largest;
      case operators::PoolMode::average:
        return sum / static_cast<double>(table_.taps());
      case operators::PoolMode::average_no_pad:
        return count == 0 ? 0 : sum / static_cast<double>(count);
    }
    return 0;
  }

  operators::pooling op_;
  View x_, y_;
  std::vector<std::int64_t> once_;
  WindowTable table_;
};

}  // namespace

Implementation pooling_kernel() {
  return {"reference", loadable, [](Call const& call) -> std::unique_ptr<Kernel> {
            return std::make_unique<Pooling>(call);
          }};
}

}  // namespace lbann::kernels::reference
