// A learning rate multiplied after given epochs.
#include "compiler/callbacks/drop_fixed_learning_rate.hpp"

#include <set>

#include "compiler/callbacks/callback.hpp"

namespace lbann::callbacks {

void drop_fixed_learning_rate::lower(compiler::CallbackLowering& lowering) const {
  auto const rates = lowering.learning_rates(lowering.model().trained(weights));
  for (auto const epoch : std::set(drop_epoch.begin(), drop_epoch.end())) {
    lowering.at({Moment::epoch_end, epoch, 1, epoch});
    for (auto const rate : rates) {
      ExpressionBuilder build;
      lowering.assign(rate, build.finish({build.operand(0) * amt}), {rate});
    }
  }
}

}  // namespace lbann::callbacks
