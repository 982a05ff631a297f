// Weights changed at random.
#include "compiler/callbacks/perturb_weights.hpp"

#include <fmt/format.h>

#include "compiler/callbacks/callback.hpp"
#include "schemas/diagnostics/catalogue.hpp"
#include "schemas/expression/function_list.hpp"

namespace lbann::callbacks {

void perturb_weights::check(Findings& findings) const {
  if (lower_ > upper)
    findings.add(
        diagnostics::bounds_crossed, "lower",
        {"lower", fmt::format("{}", lower_), std::string(name), "upper", fmt::format("{}", upper)});
}

void perturb_weights::lower(compiler::CallbackLowering& lowering) const {
  auto const target = lowering.weights(lowering.model().find_weights(output_name));
  lowering.at({Moment::step_begin, 0, batch_interval});
  auto const normal =
      lowering.random(operators::Distribution::normal, target, output_name + "/normal");
  auto const uniform =
      lowering.random(operators::Distribution::uniform, target, output_name + "/uniform");
  ExpressionBuilder build;
  auto const now = build.operand(0);
  auto const changed = now + build.operand(1) * scale;
  auto const bounded = build.apply(
      Function::minimum,
      {build.apply(Function::maximum, {changed, build.constant(lower_)}), build.constant(upper)});
  auto const chosen =
      build.apply(Function::less, {build.operand(2), build.constant(perturb_probability)});
  lowering.assign(target, build.finish({build.apply(Function::select, {chosen, bounded, now})}),
                  {target, normal, uniform});
}

}  // namespace lbann::callbacks
