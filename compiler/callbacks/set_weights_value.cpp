// Weights set before a step.
#include "compiler/callbacks/set_weights_value.hpp"

#include "compiler/callbacks/callback.hpp"

namespace lbann::callbacks {

void set_weights_value::lower(compiler::CallbackLowering& lowering) const {
  lowering.at({Moment::step_begin, step, 1, step});
  for (auto const& each : weights) {
    ExpressionBuilder build;
    lowering.assign(lowering.weights(lowering.model().find_weights(each)),
                    build.finish({build.constant(value)}), {});
  }
}

}  // namespace lbann::callbacks
