// Reference kernel of normalise_gradient: one row after the other.
#pragma once

#include <algorithm>

#include "kernels/reference/loop.hpp"

namespace lbann::kernels::reference {

template <class Number>
class NormaliseGradient : public Kernel {
 public:
  explicit NormaliseGradient(Call const& call)
      : op_(operator_of<operators::normalise_gradient>(call)),
        inputs_(call.inputs.begin(), call.inputs.end()),
        outputs_(call.outputs.begin(), call.outputs.end()),
        rows_(inputs_[1].elements()),
        columns_(rows_ == 0 ? 0 : inputs_[0].elements() / rows_),
        normal_(static_cast<std::size_t>(columns_)),
        gradient_(normal_.size()) {
    auto const size = outputs_.size() > 1 ? static_cast<std::size_t>(outputs_[1].elements()) : 0;
    to_scale_.resize(op_.scale ? size : 0);
    to_bias_.resize(op_.bias ? size : 0);
  }

  void run() override {
    std::fill(to_scale_.begin(), to_scale_.end(), Number(0));
    std::fill(to_bias_.begin(), to_bias_.end(), Number(0));
    for (std::int64_t row = 0; row < rows_; ++row) run_row(row);
    for (std::size_t i = 0; i < to_scale_.size(); ++i)
      set(outputs_[1], static_cast<std::int64_t>(i), to_scale_[i]);
    for (std::size_t i = 0; i < to_bias_.size(); ++i)
      set(outputs_.back(), static_cast<std::int64_t>(i), to_bias_[i]);
  }

 private:
  void run_row(std::int64_t row) {
    auto const mean = get<Number>(inputs_[1], row), inverse = get<Number>(inputs_[2], row);
    auto const many = Number(static_cast<double>(std::max<std::int64_t>(columns_, 1)));
    Number sum = 0, products = 0;
    for (std::size_t i = 0; i < normal_.size(); ++i) {
      auto const at = row * columns_ + static_cast<std::int64_t>(i);
      normal_[i] = (get<Number>(inputs_[0], at) - mean) * inverse;
      gradient_[i] = get<Number>(inputs_[3], at);
      if (op_.bias) to_bias_[i] += gradient_[i];
      if (op_.scale) {
        to_scale_[i] += gradient_[i] * normal_[i];
        gradient_[i] = gradient_[i] * get<Number>(inputs_[4], static_cast<std::int64_t>(i));
      }
      sum += gradient_[i];
      products += gradient_[i] * normal_[i];
    }
    auto const mean_gradient = sum / many, mean_product = products / many;
    for (std::size_t i = 0; i < normal_.size(); ++i)
      set(outputs_[0], row * columns_ + static_cast<std::int64_t>(i),
          (gradient_[i] - mean_gradient - normal_[i] * mean_product) * inverse);
  }

  operators::normalise_gradient op_;
  std::vector<View> inputs_, outputs_;
  std::int64_t rows_, columns_;
  std::vector<Number> normal_, gradient_;  ///< of one row
  std::vector<Number> to_scale_, to_bias_;
};

template <class Number>
Implementation normalise_gradient_kernel() {
  return kernel<NormaliseGradient<Number>>();
}

}  // namespace lbann::kernels::reference
