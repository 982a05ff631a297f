// A learning rate set after an epoch.
#include "compiler/callbacks/set_learning_rate.hpp"

#include "compiler/callbacks/callback.hpp"

namespace lbann::callbacks {

void set_learning_rate::lower(compiler::CallbackLowering& lowering) const {
  lowering.at({Moment::epoch_end, step, 1, step});
  for (auto const rate : lowering.learning_rates(lowering.model().trained(weights))) {
    ExpressionBuilder build;
    lowering.assign(rate, build.finish({build.constant(val)}), {});
  }
}

}  // namespace lbann::callbacks
