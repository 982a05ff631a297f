// A learning rate multiplied when training gets no better.
#include "compiler/callbacks/adaptive_learning_rate.hpp"

#include <limits>

#include "compiler/callbacks/callback.hpp"
#include "schemas/expression/function_list.hpp"

namespace lbann::callbacks {

/// LBANN's rule: it acts when `patience` values have been borne and another is not lower either,
/// and begins anew from there.
void adaptive_learning_rate::lower(compiler::CallbackLowering& lowering) const {
  auto const lowest = lowering.state("lowest", std::numeric_limits<double>::max());
  auto const waited = lowering.state("waited", 0);
  lowering.at({Moment::epoch_end, 1});
  TensorId objective, acts;
  {
    ExpressionBuilder build;
    objective = lowering.scalar(build.finish({build.operand(0) / build.operand(1)}),
                                {lowering.objective_sum(), lowering.epoch_samples()});
  }
  ExpressionBuilder build;
  auto const value = build.operand(0), least = build.operand(1), count = build.operand(2);
  auto const lower = build.apply(Function::less, {value, least});
  auto const patient = build.constant(static_cast<double>(patience));
  auto const act =
      build.apply(Function::logical_and, {build.apply(Function::logical_not, {lower}),
                                          build.apply(Function::less_equal, {patient, count})});
  acts = lowering.scalar(build.finish({act}), {objective, lowest, waited});
  for (auto const rate : lowering.learning_rates(lowering.model().trained(weights))) {
    ExpressionBuilder scale;
    auto const now = scale.operand(1);
    lowering.assign(
        rate, scale.finish({scale.apply(Function::select, {scale.operand(0), now * amt, now})}),
        {acts, rate});
  }
  auto const anew = build.apply(Function::logical_or, {lower, act});
  auto const next =
      build.apply(Function::select, {anew, build.constant(0), count + build.constant(1)});
  auto const reached = build.apply(Function::select, {anew, value, least});
  auto const waits = lowering.scalar(build.finish({next}), {objective, lowest, waited});
  lowering.assign(lowest, build.finish({reached}), {objective, lowest, waited});
  ExpressionBuilder copy;
  lowering.assign(waited, copy.finish({copy.operand(0)}), {waits});
}

}  // namespace lbann::callbacks
