// Sums over rows of what is computed of a few tensors, without bytecode and tiles in memory.
#pragma once

#include <memory>

#include "kernels/folds/reduce_plan.hpp"

namespace lbann::kernels::host {

/// A kernel for a reduction that sums, over long enough rows, a tensor or what the gradient of a
/// normalisation sums (`normalise_sums`), of tensors of one type and numbers of their own for each
/// output; null for any other.
std::unique_ptr<Kernel> row_sums(Call const& call, ReducePlan const& plan);

}  // namespace lbann::kernels::host
