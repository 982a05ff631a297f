// Reference kernel of map: one element after the other, in double.
#pragma once

#include "kernels/reference/loop.hpp"

namespace lbann::kernels::reference {

template <class Number>
class Map : public Kernel {
 public:
  explicit Map(Call const& call)
      : op_(operator_of<operators::map>(call)),
        shape_(op_.shape.at(call.samples)),
        elements_(op_.shape.elements(call.samples)),
        inputs_(call.inputs.begin(), call.inputs.end()),
        outputs_(call.outputs.begin(), call.outputs.end()),
        operands_(inputs_.size()),
        values_(op_.expression.nodes.size()) {}

  void run() override {
    for (std::int64_t i = 0; i < elements_; ++i) {
      for (std::size_t k = 0; k < inputs_.size(); ++k)
        operands_[k] = get<Number>(inputs_[k], broadcast_index(inputs_[k], shape_, i));
      evaluate<Number>(op_.expression, op_.compute, operands_, values_);
      for (std::size_t k = 0; k < outputs_.size(); ++k)
        set(outputs_[k], i, values_[op_.expression.outputs[k]]);
    }
  }

 private:
  operators::map op_;
  std::vector<std::int64_t> shape_;
  std::int64_t elements_;
  std::vector<View> inputs_, outputs_;
  std::vector<Number> operands_, values_;
};

template <class Number>
Implementation map_kernel() {
  return kernel<Map<Number>>();
}

}  // namespace lbann::kernels::reference
