// Fusion of maps with one another and with products, and removal of dead instructions.
#pragma once

#include "schemas/program/program.hpp"

namespace lbann {

/// In every entry point, without changing a bit of any result:
/// - dead instructions are removed: nothing reads their outputs (state, results and gradients count
///   as read);
/// - a map is merged into the map or product that computes one of its operands, as part of its
///   expression or epilogue. If other instructions read that operand, it is a further output of the
///   merged one. So the update of weights becomes the epilogue of the product that computes their
///   gradient, which is then never stored;
/// - a map that only one reduce reads becomes part of the reduce's expression;
/// - maps of one shape that read the same tensor, or scalars, become one map of several outputs;
/// - of these, one that is made of another and read once is not stored, but made where it is read.
/// An expression stays within `max_operands`, `max_outputs` and `max_registers`. Takes time linear
/// in the number of instructions if each tensor has a bounded number of readers. Runs in the
/// compiler, and again after specialization has removed collectives.
void fuse(Program& program);

/// Moves an output of a map that is made of another output, and of tensors of fewer elements, into
/// the one map or reduce that reads it, which then reads the other output: one tensor less is
/// stored, and no activation lives longer than one of its size did before.
void sink_outputs(Program const& program, EntryPoint& entry);

/// Removes instructions whose outputs nobody reads.
void remove_dead(Program const& program, EntryPoint& entry);

/// Moves reshapes and maps over few elements to directly after the instructions that compute their
/// operands, so that they do not stand between larger maps that can be fused.
void hoist(Program const& program, EntryPoint& entry);

}  // namespace lbann
