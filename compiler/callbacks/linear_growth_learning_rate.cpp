// A learning rate that grows from epoch to epoch.
#include "compiler/callbacks/linear_growth_learning_rate.hpp"

#include <algorithm>
#include <limits>

#include "compiler/callbacks/callback.hpp"

namespace lbann::callbacks {

void linear_growth_learning_rate::lower(compiler::CallbackLowering& lowering) const {
  auto const rates = lowering.learning_rates(lowering.model().trained(weights));
  // The end of epoch 0 is the begin of training, where nothing acts.
  auto const first_epoch = std::max<std::int64_t>(delay, 1);
  auto last_epoch = std::numeric_limits<std::int64_t>::max();
  if (__builtin_add_overflow(delay, num_epochs, &last_epoch))
    last_epoch = std::numeric_limits<std::int64_t>::max();
  auto const grown = lowering.state("epochs", static_cast<double>(first_epoch - delay));
  std::vector<TensorId> begins;
  for (std::size_t i = 0; i < rates.size(); ++i) begins.push_back(lowering.state("first", 0));
  ExpressionBuilder copy;
  auto const same = copy.finish({copy.operand(0)});
  lowering.at({Moment::training_begin});
  for (std::size_t i = 0; i < rates.size(); ++i) lowering.assign(begins[i], same, {rates[i]});
  lowering.at({Moment::epoch_end, first_epoch, 1, last_epoch});
  for (std::size_t i = 0; i < rates.size(); ++i) {
    ExpressionBuilder build;
    auto const first = build.operand(0);
    auto const part = build.operand(1) / static_cast<double>(num_epochs);
    lowering.assign(rates[i], build.finish({first + (build.constant(target) - first) * part}),
                    {begins[i], grown});
  }
  ExpressionBuilder count;
  lowering.assign(grown, count.finish({count.operand(0) + 1.0}), {grown});
}

}  // namespace lbann::callbacks
