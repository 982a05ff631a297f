// Interface between the backward rules of operators and the pass that derives gradients.
#pragma once

#include "schemas/operators/operators.hpp"

namespace lbann {

/// One instruction of the forward program, for which gradients of the inputs are wanted.
class BackwardContext {
 public:
  virtual ~BackwardContext() = default;

  virtual std::size_t input_count() const = 0;
  virtual TensorId input(std::size_t index) const = 0;
  virtual TensorId output(std::size_t index) const = 0;
  virtual TensorType const& type_of(TensorId tensor) const = 0;
  /// Gradient of the objective with respect to output `index`; invalid if it does not depend on it.
  virtual TensorId output_gradient(std::size_t index) const = 0;
  /// Whether the gradient with respect to input `index` is needed.
  virtual bool wants(std::size_t index) const = 0;
  /// Adds an instruction to the backward program; gives its outputs.
  virtual std::vector<TensorId> emit(Operator op, std::vector<TensorId> inputs) = 0;
  /// `tensor` converted to `type`; itself, or what it was converted from, where that has the type.
  virtual TensorId in_type(TensorId tensor, DataType type) = 0;
  /// Contributes `gradient` (as many bits as the input or more) to the gradient of input `index`.
  virtual void contribute(std::size_t index, TensorId gradient) = 0;
};

}  // namespace lbann
