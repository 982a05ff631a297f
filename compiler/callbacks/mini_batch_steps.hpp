// Steps of a schedule of mini-batch sizes, and the learning rates that go with them.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/callbacks/callback.hpp"

namespace lbann::callbacks {

/// A change of the mini-batch size at the end of an epoch.
struct MiniBatchStep {
  std::int64_t epoch = 0;       ///< epochs finished by then
  std::int64_t mini_batch = 1;  ///< samples of a step, on all ranks
  double rate = 0;  ///< learning rate of all weights; 0: the current ones times `rate_factor`
  double rate_factor = 1;
  std::int64_t ramp_time = 0;  ///< epochs over which rates change in equal steps; 0: at once

  friend bool operator==(MiniBatchStep const&, MiniBatchStep const&) = default;
};

/// The mini-batch sizes of the steps.
std::vector<MiniBatchChange> sizes_of(std::vector<MiniBatchStep> const& steps);

/// Lowers changes of learning rates at the ends of epochs. `steps` are in the order of their
/// epochs, the first at 0, where nothing changes. A step ends the ramp of the one before it.
void lower_learning_rates(std::vector<MiniBatchStep> const& steps,
                          compiler::CallbackLowering& lowering);

/// Reports a size at `field` that is larger than the experiment's mini-batch.
void check_size(compiler::CallbackCheck const& check, compiler::Declaration const& declaration,
                std::string_view field, std::int64_t size);

}  // namespace lbann::callbacks
