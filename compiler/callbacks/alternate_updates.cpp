// Two groups of weights that are trained in turn.
#include "compiler/callbacks/alternate_updates.hpp"

#include <algorithm>
#include <iterator>

#include "compiler/callbacks/callback.hpp"
#include "schemas/diagnostics/catalogue.hpp"
#include "schemas/expression/function_list.hpp"

namespace lbann::callbacks {

/// The trained weights of either group that are not of both.
std::vector<std::vector<WeightsId>> alternate_updates::groups(ModelView const& model) const {
  auto const first = model.trained_of_layers(layers_1);
  auto const second = model.trained_of_layers(layers_2);
  std::vector<std::vector<WeightsId>> alone(2);
  std::ranges::set_difference(first, second, std::back_inserter(alone[0]), {}, &WeightsId::index,
                              &WeightsId::index);
  std::ranges::set_difference(second, first, std::back_inserter(alone[1]), {}, &WeightsId::index,
                              &WeightsId::index);
  return alone;
}

void alternate_updates::check(ModelView const& model, Findings& findings) const {
  auto const alone = groups(model);
  for (std::size_t i = 0; i < alone.size(); ++i) {
    auto const field = "layers_" + std::to_string(i + 1);
    if (alone[i].empty())
      findings.add(diagnostics::no_effect, field,
                   {std::string(name), "no trained weights belong to `" + field + "` alone"});
  }
}

void alternate_updates::lower(compiler::CallbackLowering& lowering) const {
  // Steps since the first group's turn began.
  auto const turn = lowering.state("turn", 0);
  auto const alone = groups(lowering.model());
  for (std::size_t i = 0; i < alone.size(); ++i) {
    if (alone[i].empty()) continue;
    ExpressionBuilder build;
    auto const now = build.operand(0), end = build.constant(static_cast<double>(iters_1));
    auto const whose = i == 0 ? build.apply(Function::less, {now, end})
                              : build.apply(Function::less_equal, {end, now});
    auto const active = lowering.scalar(build.finish({whose}), {turn});
    for (auto const id : alone[i]) lowering.take_turns(id, active);
  }
  lowering.at({Moment::step_end, 1});
  ExpressionBuilder build;
  auto const next = build.operand(0) + 1.0;
  auto const all = build.constant(static_cast<double>(iters_1 + iters_2));
  auto const again = build.apply(
      Function::select, {build.apply(Function::less, {next, all}), next, build.constant(0)});
  lowering.assign(turn, build.finish({again}), {turn});
}

}  // namespace lbann::callbacks
