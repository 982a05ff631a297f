// Rules of permute.
#include "schemas/operators/permute.hpp"

#include <algorithm>

#include "schemas/operators/formulas.hpp"
#include "schemas/operators/list.hpp"
#include "schemas/operators/loops.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<permute>) {
  return "x [n...] -> y [n[axes[0]], n[axes[1]], ...]\n"
         "axis i of y is axis axes[i] of x";
}

Result<TensorTypes> permute::infer(std::span<TensorType const> inputs) const {
  if (auto misfit = rules::find_misfit(name, inputs, 1, 1)) return *misfit;
  auto const& x = inputs[0];
  TensorType y{x.type, {}};
  for (std::size_t axis = 0; axis < axes.size() && axis < x.shape.rank(); ++axis) {
    auto const from = std::find(axes.begin(), axes.end(), static_cast<std::int64_t>(axis));
    if (from == axes.end()) break;
    if (axes[axis] < 0 || axes[axis] >= static_cast<std::int64_t>(x.shape.rank())) break;
    y.shape.extents.push_back(x.shape.extents[static_cast<std::size_t>(axes[axis])]);
  }
  if (axes.size() != x.shape.rank() || y.shape.rank() != x.shape.rank())
    return rules::problem(name, "axes are not those of " + to_text(x.shape) + ", each once");
  return TensorTypes{std::move(y)};
}

Loops permute::loops(Signature const& signature) const {
  rules::LoopsBuilder loops(signature);
  for (std::size_t i = 0; i < axes.size(); ++i)
    loops.add(LoopKind::parallel,
              {rules::input(0, static_cast<std::size_t>(axes[i])), rules::output(0, i)});
  return std::move(loops).finish();
}

void permute::backward(permute const& op, BackwardContext& context) {
  auto const gradient = context.output_gradient(0);
  if (!gradient.valid() || !context.wants(0)) return;
  permute inverse{op.axes};
  for (std::size_t i = 0; i < op.axes.size(); ++i)
    inverse.axes[static_cast<std::size_t>(op.axes[i])] = static_cast<std::int64_t>(i);
  context.contribute(0, context.emit(std::move(inverse), {gradient})[0]);
}

std::int64_t permute::flops(Signature const&, std::int64_t) const { return 0; }

std::int64_t permute::scratch_bytes(Signature const&, std::int64_t, std::int64_t) const {
  return 0;
}

}  // namespace lbann::operators
