// A learning rate multiplied every so many epochs.
#include "compiler/callbacks/step_learning_rate.hpp"

#include "compiler/callbacks/callback.hpp"

namespace lbann::callbacks {

void step_learning_rate::lower(compiler::CallbackLowering& lowering) const {
  lowering.at({Moment::epoch_end, step, step});
  for (auto const rate : lowering.learning_rates(lowering.model().trained(weights))) {
    ExpressionBuilder build;
    lowering.assign(rate, build.finish({build.operand(0) * amt}), {rate});
  }
}

}  // namespace lbann::callbacks
