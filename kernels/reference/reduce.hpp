// Reference kernel of reduce: every element added, in double, to the output it belongs to.
#pragma once

#include <algorithm>
#include <limits>

#include "kernels/reference/loop.hpp"

namespace lbann::kernels::reference {

template <class Number>
class Reduce : public Kernel {
 public:
  explicit Reduce(Call const& call)
      : op_(operator_of<operators::reduce>(call)),
        shape_(op_.shape.at(call.samples)),
        elements_(op_.shape.elements(call.samples)),
        inputs_(call.inputs.begin(), call.inputs.end()),
        output_(call.outputs[0]),
        operands_(inputs_.size()),
        values_(op_.expression.nodes.size()),
        results_(static_cast<std::size_t>(output_.elements())) {}

  void run() override {
    bool const sum = op_.mode == operators::ReduceMode::sum;
    auto const lowest = op_.compute == DataType::f64
                            ? std::numeric_limits<double>::lowest()
                            : static_cast<double>(std::numeric_limits<float>::lowest());
    std::fill(results_.begin(), results_.end(), Number(sum ? 0 : lowest));
    for (std::int64_t i = 0; i < elements_; ++i) {
      for (std::size_t k = 0; k < inputs_.size(); ++k)
        operands_[k] = get<Number>(inputs_[k], broadcast_index(inputs_[k], shape_, i));
      evaluate<Number>(op_.expression, op_.compute, operands_, values_);
      auto const value = values_[op_.expression.outputs[0]];
      auto& result = results_[static_cast<std::size_t>(target(i))];
      result = sum ? result + value : larger(result, value);
    }
    for (std::size_t i = 0; i < results_.size(); ++i)
      set(output_, static_cast<std::int64_t>(i), results_[i]);
  }

 private:
  /// The output element that element `index` goes to.
  std::int64_t target(std::int64_t index) const {
    std::int64_t result = 0, stride = 1;
    for (std::size_t axis = shape_.size(); axis-- > 0;) {
      auto const position = index % shape_[axis];
      index /= shape_[axis];
      if (std::count(op_.axes.begin(), op_.axes.end(), static_cast<std::int64_t>(axis)) > 0)
        continue;
      result += position * stride;
      stride *= shape_[axis];
    }
    return result;
  }

  operators::reduce op_;
  std::vector<std::int64_t> shape_;
  std::int64_t elements_;
  std::vector<View> inputs_;
  View output_;
  std::vector<Number> operands_, values_, results_;
};

template <class Number>
Implementation reduce_kernel() {
  return kernel<Reduce<Number>>();
}

}  // namespace lbann::kernels::reference
