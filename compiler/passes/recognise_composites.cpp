// The pass `recognise_composites`: what is better computed together than one after the other.
#include "compiler/passes/composites.hpp"
#include "compiler/passes/program_passes.hpp"

namespace lbann::compiler {

void recognise_composites(Program& program) {
  for (auto& entry : program.entry_points) {
    if (entry.name == predict_entry) continue;  // losses are no part of most predictions
    join_softmax_cross_entropy(program, entry);
    join_sparse_softmax_cross_entropy(program, entry);
    join_sigmoid_cross_entropy(program, entry);
  }
}

}  // namespace lbann::compiler
