// Fusion: chains of maps become one map, maps become epilogues; what nobody needs disappears.
#pragma once

#include "schemas/program/program.hpp"

namespace lbann {

/// In every entry point, without changing a bit of any result:
/// - instructions whose outputs nobody reads go (state, results and gradients count as read);
/// - a map goes into the map or product that makes one of its operands, as part of its expression
///   or epilogue; what else reads that operand gets it as a further output. So a
///   weights update becomes the epilogue of the product that is its gradient, which is then
///   never stored;
/// - a map read by one reduce only goes into its expression;
/// - maps of one shape that read the same tensor, or scalars, become one map of several outputs.
/// Within the limits of `max_operands`, `max_outputs`, `max_registers`. Linear in the instructions,
/// for bounded numbers of readers of a tensor. Runs in the compiler and again when specialisation
/// has dropped collectives.
void fuse(Program& program);

/// Removes instructions whose outputs nobody reads.
void remove_dead(Program const& program, EntryPoint& entry);

/// Moves reshapes and maps of a few numbers up to where their operands exist, so that they stand in
/// nobody's way.
void hoist(Program const& program, EntryPoint& entry);

}  // namespace lbann
