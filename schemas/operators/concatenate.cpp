// Rules of concatenate.
#include "schemas/operators/concatenate.hpp"

#include "schemas/operators/formulas.hpp"
#include "schemas/operators/list.hpp"
#include "schemas/operators/loops.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<concatenate>) {
  return "x0, x1, ... -> y, equal but along `axis`\n"
         "y = the entries of x0, then those of x1, ...";
}

Result<TensorTypes> concatenate::infer(std::span<TensorType const> inputs) const {
  if (auto misfit = rules::find_misfit(name, inputs, 1, 1 << 16)) return *misfit;
  auto output = inputs[0];
  if (axis < 0 || axis >= static_cast<std::int64_t>(output.shape.rank()))
    return rules::problem(name, to_text(output.shape) + " has no axis " + std::to_string(axis));
  auto& grown = output.shape.extents[static_cast<std::size_t>(axis)];
  if (grown.batch) return rules::problem(name, "the mini-batch cannot grow");
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    auto other = inputs[i];
    if (other.type != output.type || other.shape.rank() != output.shape.rank())
      return rules::problem(name, "inputs differ in type or rank");
    auto const more = other.shape.extents[static_cast<std::size_t>(axis)];
    other.shape.extents[static_cast<std::size_t>(axis)] = grown;
    if (more.batch || other != output)
      return rules::problem(name, to_text(inputs[i].shape) + " does not fit " +
                                      to_text(inputs[0].shape) + " but for the axis");
    grown.size += more.size;
    if (!rules::sound(output.shape)) return rules::problem(name, "the result is too large");
  }
  return TensorTypes{std::move(output)};
}

Loops concatenate::loops(Signature const& signature) const {
  rules::LoopsBuilder loops(signature);
  for (std::size_t i = 0; i < signature.outputs[0].shape.rank(); ++i) {
    if (static_cast<std::int64_t>(i) == axis) continue;
    auto const loop = loops.add(LoopKind::parallel, {rules::output(0, i)});
    for (std::size_t t = 0; t < signature.inputs.size(); ++t) loops.set(rules::input(t, i), loop);
  }
  return std::move(loops).finish();
}

void concatenate::backward(concatenate const& op, BackwardContext& context) {
  auto const gradient = context.output_gradient(0);
  bool wanted = false;
  for (std::size_t i = 0; i < context.input_count(); ++i) wanted = wanted || context.wants(i);
  if (!gradient.valid() || !wanted) return;
  slice rule{op.axis, {0}};
  for (std::size_t i = 0; i < context.input_count(); ++i) {
    auto const& shape = context.type_of(context.input(i)).shape;
    rule.points.push_back(rule.points.back() +
                          shape.extents[static_cast<std::size_t>(op.axis)].size);
  }
  auto const pieces = context.emit(std::move(rule), {gradient});
  for (std::size_t i = 0; i < context.input_count(); ++i)
    if (context.wants(i)) context.contribute(i, pieces[i]);
}

std::int64_t concatenate::flops(Signature const&, std::int64_t) const { return 0; }

std::int64_t concatenate::scratch_bytes(Signature const&, std::int64_t, std::int64_t) const {
  return 0;
}

}  // namespace lbann::operators
