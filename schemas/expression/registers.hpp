// Registers of the bytecode that runs a map: who holds which value when.
#pragma once

#include <cstdint>
#include <vector>

#include "schemas/expression/expression.hpp"

namespace lbann {

/// A register for each node when nodes are evaluated in their order. A node (operands and constants
/// too) takes its register where it stands and gives it back after its last use; a result may take
/// the register of an argument used last by it. Outputs keep theirs to the end, so that all stores
/// can come after all loads.
struct RegisterAllocation {
  std::vector<std::uint8_t> register_of;  ///< per node; meaningless if `count` is above 255
  std::size_t count = 0;                  ///< registers needed
};

RegisterAllocation allocate_registers(Expression const& expression);

/// Whether `max_registers` suffice; fewer nodes than that are not looked at.
bool fits_registers(Expression const& expression);

/// Whether a map of `expression` can run: operands, outputs, nodes and registers within limits.
bool within_limits(Expression const& expression);

}  // namespace lbann
