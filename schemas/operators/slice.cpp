// Rules of slice.
#include "schemas/operators/slice.hpp"

#include "schemas/operators/formulas.hpp"
#include "schemas/operators/list.hpp"
#include "schemas/operators/loops.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<slice>) {
  return "x -> y_i, as x but points[i + 1] - points[i] entries along `axis`\n"
         "y_i = entries points[i] to points[i + 1] - 1 of x";
}

Result<TensorTypes> slice::infer(std::span<TensorType const> inputs) const {
  if (auto misfit = rules::find_misfit(name, inputs, 1, 1)) return *misfit;
  auto const& x = inputs[0];
  if (axis < 0 || axis >= static_cast<std::int64_t>(x.shape.rank()))
    return rules::problem(name, to_text(x.shape) + " has no axis " + std::to_string(axis));
  auto const extent = x.shape.extents[static_cast<std::size_t>(axis)];
  if (extent.batch) return rules::problem(name, "the mini-batch cannot be cut");
  if (points.size() < 2) return rules::problem(name, "needs at least two points");
  TensorTypes outputs;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i] < 0 || points[i] > extent.size || (i > 0 && points[i] < points[i - 1]))
      return rules::problem(name, "points are not ascending within " + to_text(x.shape));
    if (i == 0) continue;
    outputs.push_back(x);
    outputs.back().shape.extents[static_cast<std::size_t>(axis)].size = points[i] - points[i - 1];
  }
  return outputs;
}

Loops slice::loops(Signature const& signature) const {
  rules::LoopsBuilder loops(signature);
  for (std::size_t i = 0; i < signature.inputs[0].shape.rank(); ++i) {
    if (static_cast<std::int64_t>(i) == axis) continue;
    auto const loop = loops.add(LoopKind::parallel, {rules::input(0, i)});
    for (std::size_t o = 0; o < signature.outputs.size(); ++o) loops.set(rules::output(o, i), loop);
  }
  return std::move(loops).finish();
}

void slice::backward(slice const& op, BackwardContext& context) {
  if (!context.wants(0)) return;
  auto const type = context.type_of(context.input(0));
  auto const axis = static_cast<std::size_t>(op.axis);
  std::vector<TensorId> pieces;
  bool any = false;
  auto fill = [&](std::int64_t from, std::int64_t to) {
    if (from == to) return;
    auto piece = type;
    piece.shape.extents[axis].size = to - from;
    pieces.push_back(rules::filled(context, 0, piece));
  };
  for (std::size_t i = 0; i + 1 < op.points.size(); ++i)
    any = any || context.output_gradient(i).valid();
  if (!any) return;
  fill(0, op.points.front());
  for (std::size_t i = 0; i + 1 < op.points.size(); ++i) {
    auto const gradient = context.output_gradient(i);
    if (gradient.valid())
      pieces.push_back(gradient);
    else
      fill(op.points[i], op.points[i + 1]);
  }
  fill(op.points.back(), type.shape.extents[axis].size);
  if (pieces.size() == 1) return context.contribute(0, pieces[0]);
  context.contribute(0, context.emit(concatenate{op.axis}, std::move(pieces))[0]);
}

std::int64_t slice::flops(Signature const&, std::int64_t) const { return 0; }

std::int64_t slice::scratch_bytes(Signature const&, std::int64_t, std::int64_t) const { return 0; }

}  // namespace lbann::operators
