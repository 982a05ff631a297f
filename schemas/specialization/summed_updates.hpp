// Gradients that are summed over ranks for the update of their weights, and for nothing else.
#pragma once

#include <vector>

#include "schemas/specialization/specialization.hpp"

namespace lbann {

/// A sum over ranks in `train` whose result one map reads, which updates weights element by
/// element; nothing else reads the gradient or its parts, and no instruction behind the map reads
/// what it writes. So every rank may update some elements, if all see weights and moments.
struct SummedUpdate {
  std::size_t maker = 0;  ///< instruction that computes this rank's part of the gradient
  TensorId parts, whole;  ///< what is summed, and the sum: the same if in place
  TensorId weights;
};

/// Those of `train`, in the order of their sums. None where weights change elsewhere, too, each
/// rank's own.
std::vector<SummedUpdate> summed_updates(Program const& program);

/// Puts the weights of these updates and the moments that belong to them in shared memory.
void share_state(Specialization& specialization, std::vector<SummedUpdate> const& updates);

}  // namespace lbann
