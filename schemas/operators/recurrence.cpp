// Gradients of recurrent weights, and the scratch memory of recurrences.
#include "schemas/operators/recurrence.hpp"

#include "schemas/operators/list.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::operators::rules {

TensorId recurrent_weights_gradient(BackwardContext& context, TensorId states, TensorId first,
                                    TensorId of_products) {
  // Copied: the table of tensors grows below.
  auto const shape = context.type_of(states).shape;
  auto const rows = context.type_of(of_products).shape.extents[2];
  auto const batch = shape.extents[0], steps = shape.extents[1], hidden = shape.extents[2];
  auto before = reshaped(context, first, Shape{batch, {1, false}, hidden});
  if (steps.size > 1)
    before = context.emit(concatenate{1},
                          {before, context.emit(slice{1, {0, steps.size - 1}}, {states})[0]})[0];
  Extent const all{times(batch.size, steps.size), batch.batch};
  auto const gradients = reshaped(context, of_products, Shape{all, rows});
  before = reshaped(context, before, Shape{all, hidden});
  return context.emit(matmul{true, false, {}, {}}, {gradients, before})[0];
}

std::int64_t recurrence_scratch_bytes(TensorType const& weights, std::int64_t rows,
                                      std::int64_t of_sample) {
  auto const gates = weights.shape.extents[0].size, hidden = weights.shape.extents[1].size;
  auto const packed = times(plus(gates, 64), plus(hidden, 64));
  auto const samples = times(plus(rows, 8), of_sample);
  return times(plus(packed, samples), static_cast<std::int64_t>(lbann::bytes_of(weights.type)));
}

}  // namespace lbann::operators::rules
