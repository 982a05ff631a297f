// What gather and scatter share: an axis whose entries are named by indices.
#include "schemas/operators/indexing.hpp"

#include <algorithm>

namespace lbann::operators::rules {

Result<Shape> gathered_shape(std::string_view op, Shape const& values, TensorType const& indices,
                             IndexedAxis at) {
  auto const rank = static_cast<std::int64_t>(values.rank());
  if (!is_floating(indices.type) && indices.type != DataType::i32 && indices.type != DataType::i64)
    return problem(op, "indices are floating-point numbers, i32 or i64");
  if (at.axis < 0 || at.axis >= rank)
    return problem(op, to_text(values) + " has no axis " + std::to_string(at.axis));
  if (at.batch_axes < 0 || at.batch_axes > at.axis ||
      at.batch_axes > static_cast<std::int64_t>(indices.shape.rank()))
    return problem(op, std::to_string(at.batch_axes) + " axes of " + to_text(values) +
                           " before axis " + std::to_string(at.axis) + " are not those of " +
                           to_text(indices.shape));
  auto const axis = values.extents.begin() + at.axis;
  auto const own = indices.shape.extents.begin() + at.batch_axes;
  if (axis->batch) return problem(op, "an index does not name a sample");
  if (!std::equal(indices.shape.extents.begin(), own, values.extents.begin()))
    return problem(op, to_text(values) + " and " + to_text(indices.shape) +
                           " differ in their first " + std::to_string(at.batch_axes) + " axes");
  Shape shape;
  shape.extents.assign(values.extents.begin(), axis);
  shape.extents.insert(shape.extents.end(), own, indices.shape.extents.end());
  shape.extents.insert(shape.extents.end(), axis + 1, values.extents.end());
  if (!sound(shape)) return problem(op, "no tensor has shape " + to_text(shape));
  return shape;
}

Loops loops_of_indexing(Signature const& signature, bool scatters, IndexedAxis at) {
  // The larger dimension, of which indices name entries, and the picks, on either side.
  auto const indexed = [&](std::size_t i) { return scatters ? output(0, i) : input(0, i); };
  auto const taken = [&](std::size_t i) { return scatters ? input(0, i) : output(0, i); };
  auto const axis = static_cast<std::size_t>(at.axis);
  auto const batch = static_cast<std::size_t>(at.batch_axes);
  auto const picks = signature.inputs[1].shape.rank() - batch;
  LoopsBuilder loops(signature);
  for (std::size_t i = 0; i < batch; ++i)
    loops.add(LoopKind::parallel, {input(1, i), indexed(i), taken(i)});
  for (auto i = batch; i < axis; ++i) loops.add(LoopKind::parallel, {indexed(i), taken(i)});
  for (std::size_t i = 0; i < picks; ++i)
    loops.add(scatters ? LoopKind::summed : LoopKind::parallel,
              {input(1, batch + i), taken(axis + i)});
  auto const rank = (scatters ? signature.outputs : signature.inputs)[0].shape.rank();
  for (auto i = axis + 1; i < rank; ++i) {
    auto const loop = loops.add(LoopKind::parallel, {indexed(i), taken(i + picks - 1)});
    if (scatters) loops.set_in_epilogue(2, i, loop);
  }
  return std::move(loops).finish();
}

}  // namespace lbann::operators::rules
