// What `recognise_composites` joins, one function for each composite.
#pragma once

#include "schemas/program/program.hpp"

namespace lbann::compiler {

/// Softmax and the cross entropy of its result, as one operator.
void join_softmax_cross_entropy(Program& program, EntryPoint& entry);

/// Softmax and the cross entropy of its result with labels, computed of the scores, where these lie
/// before their axis of classes was moved. The softmax stays for its other readers.
void join_sparse_softmax_cross_entropy(Program& program, EntryPoint& entry);

/// Sigmoid and the binary cross entropy of its result: the loss is computed of the scores, whose
/// logarithms are never those of 0. The sigmoid stays for its other readers.
void join_sigmoid_cross_entropy(Program const& program, EntryPoint& entry);

}  // namespace lbann::compiler
