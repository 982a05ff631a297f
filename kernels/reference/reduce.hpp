// Reference kernel of reduce: every element taken, in double, to the outputs it belongs to.
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
        outputs_(call.outputs.begin(), call.outputs.end()),
        size_(static_cast<std::size_t>(outputs_[0].elements())),
        operands_(inputs_.size()),
        values_(op_.expression.nodes.size()),
        results_(size_ * outputs_.size()) {}

  void run() override {
    std::fill(results_.begin(), results_.end(), Number(start()));
    for (std::int64_t i = 0; i < elements_; ++i) {
      for (std::size_t k = 0; k < inputs_.size(); ++k)
        operands_[k] = get<Number>(inputs_[k], broadcast_index(inputs_[k], shape_, i));
      evaluate<Number>(op_.expression, op_.compute, operands_, values_);
      auto const target = static_cast<std::size_t>(kept_index(shape_, op_.axes, i));
      for (std::size_t o = 0; o < outputs_.size(); ++o) {
        auto& result = results_[o * size_ + target];
        result = taken(result, values_[op_.expression.outputs[o]]);
      }
    }
    for (std::size_t i = 0; i < results_.size(); ++i)
      set(outputs_[i / size_], static_cast<std::int64_t>(i % size_), results_[i]);
  }

 private:
  /// The result over nothing.
  double start() const {
    bool const wide = op_.compute == DataType::f64;
    auto const highest = wide ? std::numeric_limits<double>::max()
                              : static_cast<double>(std::numeric_limits<float>::max());
    switch (op_.mode) {
      case operators::ReduceMode::sum:
        return 0;
      case operators::ReduceMode::product:
        return 1;
      case operators::ReduceMode::max:
        return -highest;
      case operators::ReduceMode::min:
        break;
    }
    return highest;
  }

  Number taken(Number result, Number value) const {
    switch (op_.mode) {
      case operators::ReduceMode::sum:
        return result + value;
      case operators::ReduceMode::product:
        return result * value;
      case operators::ReduceMode::max:
        return larger(result, value);
      case operators::ReduceMode::min:
        break;
    }
    return smaller(result, value);
  }

  operators::reduce op_;
  std::vector<std::int64_t> shape_;
  std::int64_t elements_;
  std::vector<View> inputs_, outputs_;
  std::size_t size_;  ///< of one output
  std::vector<Number> operands_, values_, results_;
};

template <class Number>
Implementation reduce_kernel() {
  return kernel<Reduce<Number>>();
}

}  // namespace lbann::kernels::reference
