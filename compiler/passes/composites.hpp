// What `recognise_composites` joins, one function for each composite.
#pragma once

#include "schemas/program/program.hpp"

namespace lbann::compiler {

/// Softmax and the cross entropy of its result, as one operator.
void join_softmax_cross_entropy(Program& program, EntryPoint& entry);

/// Sigmoid and the binary cross entropy of its result: the loss is computed of the scores, whose
/// logarithms are never those of 0. The sigmoid stays for its other readers.
void join_sigmoid_cross_entropy(Program const& program, EntryPoint& entry);

}  // namespace lbann::compiler
