// Learning rates that follow the mini-batch size. The size itself is the data's, by epoch.
#include "compiler/callbacks/mini_batch_steps.hpp"

#include <limits>

#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::callbacks {

namespace {

/// What a learning rate becomes, of operand 0.
Term wanted(MiniBatchStep const& step, ExpressionBuilder& build) {
  return step.rate > 0 ? build.constant(step.rate) : build.operand(0) * step.rate_factor;
}

}  // namespace

std::vector<MiniBatchChange> sizes_of(std::vector<MiniBatchStep> const& steps) {
  std::vector<MiniBatchChange> sizes;
  for (auto const& step : steps) sizes.push_back({step.epoch, step.mini_batch});
  return sizes;
}

void lower_learning_rates(std::vector<MiniBatchStep> const& steps,
                          compiler::CallbackLowering& lowering) {
  constexpr auto never = std::numeric_limits<std::int64_t>::max();
  auto const rates = lowering.learning_rates(lowering.model().trained({}));
  std::vector<TensorId> increments;  // of each learning rate, while it ramps
  for (std::size_t i = 1; i < steps.size(); ++i) {
    auto const& step = steps[i];
    if (step.rate <= 0 && step.rate_factor == 1) continue;
    lowering.at({Moment::epoch_end, step.epoch, 1, step.epoch});
    if (step.ramp_time == 0) {
      for (auto const rate : rates) {
        ExpressionBuilder build;
        lowering.assign(rate, build.finish({wanted(step, build)}), {rate});
      }
      continue;
    }
    while (increments.size() < rates.size()) increments.push_back(lowering.state("increment", 0));
    for (std::size_t r = 0; r < rates.size(); ++r) {
      ExpressionBuilder build;
      auto const difference = wanted(step, build) - build.operand(0);
      lowering.assign(increments[r],
                      build.finish({difference / static_cast<double>(step.ramp_time)}), {rates[r]});
    }
    auto last = never;
    if (__builtin_add_overflow(step.epoch, step.ramp_time - 1, &last)) last = never;
    if (i + 1 < steps.size()) last = std::min(last, steps[i + 1].epoch - 1);
    lowering.at({Moment::epoch_end, step.epoch, 1, last});
    for (std::size_t r = 0; r < rates.size(); ++r) {
      ExpressionBuilder build;
      lowering.assign(rates[r], build.finish({build.operand(0) + build.operand(1)}),
                      {rates[r], increments[r]});
    }
  }
}

void check_size(compiler::CallbackCheck const& check, compiler::Declaration const& declaration,
                std::string_view field, std::int64_t size) {
  if (size > check.largest_mini_batch)
    check.report.add(diagnostics::mini_batch_limited, declaration.place_of(field),
                     {std::to_string(size), std::to_string(check.largest_mini_batch)});
}

}  // namespace lbann::callbacks
