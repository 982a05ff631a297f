// The optimizer `no_optimizer`.
#include "compiler/optimizers/no_optimizer.hpp"

namespace lbann::compiler::optimizers {

std::vector<MomentInfo> no_optimizer::moments() const { return {}; }

std::vector<CounterInfo> no_optimizer::counters() const { return {}; }

void no_optimizer::update(OptimizerContext&) const {}

}  // namespace lbann::compiler::optimizers
